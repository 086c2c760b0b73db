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
          There is a new version of these pages. Save what you typed, then reload.{' '}
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </>
      )}
    </output>
  );
}
