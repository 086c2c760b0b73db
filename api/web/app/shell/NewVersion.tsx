import { Button } from '../../ui/Button.js';
import { useNewVersion } from '../../ui/new-version.js';
import styles from './Stale.module.css';

/**
 * Reports above the page that the service was upgraded. The user chooses when to reload; the browser asks for
 * confirmation if there is unsaved input.
 */
export function NewVersion() {
  const found = useNewVersion();
  return (
    <output className={found ? styles.stale : 'hidden'}>
      {found && (
        <>
          A new version is available. Save your changes, then reload.{' '}
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </>
      )}
    </output>
  );
}
