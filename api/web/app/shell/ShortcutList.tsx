import { Button } from '../../ui/Button.js';
import { DialogActions, Dialog } from '../../ui/Dialog.js';
import styles from './ShortcutList.module.css';
import { switchSingleKeys, useSingleKeys } from '../../ui/single-keys.js';

const SHORTCUTS = [
  ['Ctrl K', 'Open the command palette (Command K on a Mac)'],
  ['/', 'Focus the search of the page, or open the command palette'],
  ['c', 'Show the API calls of the page'],
  ['?', 'Show keyboard shortcuts'],
  ['Esc', 'Close a dialog'],
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
          Use <kbd>/</kbd>, <kbd>c</kbd> and <kbd>?</kbd> as shortcuts in this browser
        </span>
      </label>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
