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
