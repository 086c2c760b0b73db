import { useSyncExternalStore } from 'react';
import type { ComponentType, FunctionComponent, ReactElement, ReactNode } from 'react';
import { Button } from './Button.js';
import { checkForNewVersion, useNewVersion } from './new-version.js';
import styles from '../app/problems/Problem.module.css';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** A component that loads when it is first drawn, or before that, once somebody knows that it will be. */
export type Later<P> = FunctionComponent<P> & { load: () => void };

/** Has what is about to be drawn load, where it does: it may wait for something else. */
export function beginLoading({ type }: ReactElement): void {
  if (typeof type === 'function' && 'load' in type) (type as Later<object>).load();
}

type Loaded<P> = { Component: ComponentType<P> } | { error: unknown };

/**
 * As React's `lazy`, which is not used: React puts off by up to 300 ms what is shown in the place of something that was
 * waited for, and a page that loads has several such steps.
 * @param waiting what is drawn meanwhile
 */
function loadedLater<P extends object>(load: Load<P>, waiting: ReactNode): Later<P> {
  let loaded: Loaded<P> | null = null;
  let loading: Promise<void> | undefined;
  const start = () =>
    (loading ??= load().then(
      ({ default: Component }) => {
        loaded = { Component };
      },
      (error: unknown) => {
        loaded = { error };
      },
    ));
  const subscribe = (listener: () => void) => {
    let gone = false;
    void start().then(() => gone || listener());
    return () => {
      gone = true;
    };
  };
  const snapshot = () => loaded;
  function LoadedLater(props: P) {
    const found = useSyncExternalStore(subscribe, snapshot);
    if (!found) {
      // Before the effect that subscribes: that comes after the frame is drawn.
      void start();
      return waiting;
    }
    if ('error' in found) throw found.error;
    return <found.Component {...props} />;
  }
  return Object.assign(LoadedLater, { load: () => void start() });
}

/**
 * A part of a page that loads when it is first shown. Where it does not load, as after an upgrade of the service, it says
 * so in its place, and what stands around it stays as it is.
 * @param waiting what is drawn meanwhile
 */
export const later = <P extends object>(load: Load<P>, waiting: ReactNode = null): Later<P> =>
  loadedLater(
    () =>
      load().catch(() => {
        void checkForNewVersion();
        return { default: () => <Missing /> };
      }),
    waiting,
  );

/** A part of a page that is not missed where it does not load. */
export const optional = (load: Load<object>): Later<object> =>
  loadedLater(() => load().catch(() => ({ default: () => null })), null);

const RELOADED = 'reloaded';
/** A page that fails again so soon after it was loaded anew is not loaded anew once more. */
const AGAIN_MS = 30_000;

/**
 * Loads the page that the address names anew, where the service answers and that was not tried just now. After an
 * upgrade the person is asked first.
 */
async function reloadOnce(): Promise<boolean> {
  const now = Date.now();
  const [path, at] = JSON.parse(sessionStorage.getItem(RELOADED) ?? '["", 0]') as [string, number];
  const isNew = await checkForNewVersion();
  if (isNew !== false || (path === location.pathname && now - at < AGAIN_MS)) return false;
  sessionStorage.setItem(RELOADED, JSON.stringify([location.pathname, now]));
  location.reload();
  return true;
}

/**
 * A page that loads when it is first gone to. One that does not load although the service answers is loaded with a new
 * document: browsers do not try again a script that failed, nor one that needs it.
 */
export const page = <P extends object>(load: Load<P>, waiting: ReactNode = null): Later<P> =>
  loadedLater(
    () =>
      load().catch(async (error: unknown) => {
        if (await reloadOnce()) await new Promise(() => {});
        throw error;
      }),
    waiting,
  );

/** Browsers do not try again to load a part that failed, until the page is loaded anew. */
function Missing() {
  const why = useNewVersion() ? 'it is of an older version of these pages.' : 'the network or the service failed.';
  return (
    <div className={styles.problem} role="alert">
      <p>
        <span className={styles.title}>A part of this page did not load:</span> {why} What you typed stays: save it,
        then reload the page.
      </p>
      <div>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </div>
  );
}
