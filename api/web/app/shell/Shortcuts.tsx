import { useEffect, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../ui/Button.js';
import { later } from '../../ui/later.js';
import { onDialogChange, openDialog, currentDialog } from './current-dialog.js';
import type { DialogKey } from './current-dialog.js';
import { singleKeysOn } from '../../ui/single-keys.js';

/** Loaded when a key first opens something. */
const KeyDialog = later(() => import('./KeyDialog.js'));

/** Types of inputs in which keys write nothing. */
const WITHOUT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Whether a pressed key belongs to the focused element. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return target.isContentEditable || target.matches('textarea, select, [role="textbox"], [role="combobox"]');
}

/** Whether no dialog is open above the page. */
const isFree = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') === null;

function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.altKey) return false;
  // An editor in a shadow tree is not the target that the document sees.
  return !takesKeys(event.composedPath()[0] ?? null) && isFree();
}

/** Focuses the search field of the page, if it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (!search?.checkVisibility()) return false;
  search.focus();
  search.select();
  return true;
}

const SINGLE_KEYS = ['/', '?', 'c'];

/** Whether a key opens a global dialog, and does not belong to the focused element. */
function opens(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return event.key === 'k' && isFree();
  return SINGLE_KEYS.includes(event.key) && singleKeysOn() && isForPage(event);
}

/**
 * `/` goes to the search of a page, or opens the palette as Ctrl-K does; `c` shows the calls behind the page; `?` lists the
 * shortcuts. Buttons do the same, for who has no keyboard.
 */
export function Shortcuts() {
  const open = useSyncExternalStore(onDialogChange, currentDialog);
  const navigate = useNavigate();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!opens(event)) return;
      event.preventDefault();
      if (event.key !== '/' || !focusSearch()) openDialog(event.key as DialogKey);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button kind="quiet" onClick={() => openDialog('c')}>
        API calls of this page
      </Button>
      <Button kind="quiet" onClick={() => openDialog('?')}>
        Keyboard shortcuts
      </Button>
      {open && <KeyDialog opener={open} onClose={() => openDialog(null)} onGo={navigate} />}
    </>
  );
}
