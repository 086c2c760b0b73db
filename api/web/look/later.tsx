import { lazy } from 'react';
import type { ComponentType } from 'react';
import { Button } from './Button.js';
import { lookForNewVersion, useNewVersion } from './new-version.js';
import styles from './Problem.module.css';

/**
 * A part of a page that loads when it is first shown. Where it does not load, as after an upgrade of the service, it says
 * so in its place, and what stands around it stays as it is.
 */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazy<ComponentType<P>>(() =>
    load().catch(() => {
      void lookForNewVersion();
      return { default: () => <Missing /> };
    }),
  );
}

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
  const isNew = await lookForNewVersion();
  if (isNew !== false || (path === location.pathname && now - at < AGAIN_MS)) return false;
  sessionStorage.setItem(RELOADED, JSON.stringify([location.pathname, now]));
  location.reload();
  return true;
}

/**
 * A page that loads when it is first gone to. One that does not load although the service answers is loaded with a new
 * document: browsers do not try again a script that failed, nor one that needs it.
 */
export function page<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazy<ComponentType<P>>(() =>
    load().catch(async (error: unknown) => {
      if (await reloadOnce()) await new Promise(() => {});
      throw error;
    }),
  );
}

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
