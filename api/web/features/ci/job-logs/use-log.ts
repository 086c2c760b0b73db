import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { getTracePath, LogSource } from './log-source.js';
import type { LogSnapshot } from './log-source.js';

/**
 * The log of a job while the component is mounted. Whether it is followed is decided once, as a followed log goes on
 * until the service says that it is whole.
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
  return {
    snapshot: useSyncExternalStore(source.subscribe, source.getSnapshot),
    retry: () => setSource(create()),
  };
}
