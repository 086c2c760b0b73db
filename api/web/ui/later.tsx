import { useSyncExternalStore } from 'react';
import type { ComponentType, FunctionComponent, ReactNode } from 'react';
import { Button } from './Button.js';
import { checkForNewVersion, useNewVersion } from './new-version.js';
import styles from '../app/problems/Problem.module.css';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** A component that is loaded on its first render, or earlier by a preload. */
export type Later<P> = FunctionComponent<P> & { load: () => void };

type Loaded<P> = { Component: ComponentType<P> } | { error: unknown };

/**
 * Like React's `lazy`, which is not used because React delays the content behind a fallback by up to 300 ms, and a page
 * that loads has several such steps.
 * @param waiting rendered meanwhile
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
 * A part of a page that is loaded on its first render. If it fails to load, as after an upgrade of the service, an
 * error is displayed in its position, and the content around it remains.
 * @param waiting rendered meanwhile
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

/** A part of a page that is omitted if it fails to load. */
export const optional = (load: Load<object>): Later<object> =>
  loadedLater(() => load().catch(() => ({ default: () => null })), null);

const RELOADED = 'reloaded';
/** A page that fails again within this time after a reload is not reloaded again. */
const AGAIN_MS = 30_000;

/**
 * Reloads the page at the current address, if the service responds and the page was not reloaded just before. After an
 * upgrade it does not reload: the user decides first.
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

/** Browsers do not retry loading a script that failed until the page is reloaded. */
function Missing() {
  const why = useNewVersion() ? 'a newer version is available.' : 'network or server error.';
  return (
    <div className={styles.problem} role="alert">
      <p>
        <span className={styles.title}>Part of this page didn't load:</span> {why} Save your changes, then reload the
        page.
      </p>
      <div>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </div>
  );
}
