import { Button } from '../../ui/Button.js';
import { DialogActions, Dialog } from '../../ui/Dialog.js';
import styles from './ShortcutList.module.css';
import { switchSingleKeys, useSingleKeys } from '../../ui/single-keys.js';

const SHORTCUTS = [
  ['Ctrl K', 'Go to a page, project, group, schedule or person, or do what the page can do; Command K on a Mac'],
  ['/', 'Go to the search of the page; where it has none, the same as Ctrl K'],
  ['c', 'Show the calls behind the page, as programs make them, with their answers'],
  ['?', 'Show this list'],
  ['Esc', 'Close a box such as this one'],
] as const;

/** The keys that do something on every page, outside of fields. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const on = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {SHORTCUTS.map(([key, does]) => (
          <div key={key} className={styles.key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={on} onChange={(event) => switchSingleKeys(event.currentTarget.checked)} />
        <span>
          <kbd>/</kbd>, <kbd>c</kbd> and <kbd>?</kbd> are shortcuts in this browser
        </span>
      </label>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
