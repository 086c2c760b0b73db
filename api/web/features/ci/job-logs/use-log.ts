import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { getTracePath, LogSource } from './log-source.js';
import type { LogSnapshot } from './log-source.js';

/**
 * The log of a job while the component is mounted. Whether it is followed is decided once: a followed log is read until
 * the service says that it is whole, or, where it is polled, until the job is over.
 */
export function useLog(
  path: string,
  id: number,
  live: boolean,
  onEnd: () => void,
): { snapshot: LogSnapshot; retry: () => void } {
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  const create = () => new LogSource(getTracePath(path, id), live);
  const [source, setSource] = useState(create);
  useEffect(() => source.start(() => end.current()), [source]);
  useEffect(() => {
    if (!live) source.noteEnd();
  }, [live, source]);
  return {
    snapshot: useSyncExternalStore(source.subscribe, source.getSnapshot),
    retry: () => setSource(create()),
  };
}
