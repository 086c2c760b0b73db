import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from './Button.js';
import { singleKeysOn } from './single-keys.js';

const ShortcutList = lazy(() => import('./ShortcutList.js'));

/** Types of inputs in which keys write nothing. */
const WITHOUT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Whether a key that is pressed there belongs to what has the focus. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return target.isContentEditable || target.matches('textarea, select, [role="textbox"], [role="combobox"]');
}

function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !takesKeys(event.target) && document.querySelector('[role="dialog"], [role="alertdialog"]') === null;
}

/** Puts the focus into the search of the page, where it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (!search?.checkVisibility()) return false;
  search.focus();
  search.select();
  return true;
}

/** `/` goes to the search of a page, `?` lists the shortcuts, on every page; a button lists them too. */
export function Shortcuts() {
  const [listed, setListed] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!singleKeysOn() || !isForPage(event)) return;
      if (event.key === '?') setListed(true);
      else if (event.key !== '/' || !focusSearch()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button kind="quiet" onClick={() => setListed(true)}>
        Keyboard shortcuts
      </Button>
      {listed && (
        <Suspense>
          <ShortcutList onClose={() => setListed(false)} />
        </Suspense>
      )}
    </>
  );
}
