import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from './Button.js';
import { singleKeysOn } from './single-keys.js';

/** What keys open, loaded when they first do. */
const BOXES = {
  list: lazy(() => import('./ShortcutList.js')),
  palette: lazy(() => import('../palette/Palette.js')),
};

type Box = keyof typeof BOXES;

/** Types of inputs in which keys write nothing. */
const WITHOUT_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Whether a key that is pressed there belongs to what has the focus. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return target.isContentEditable || target.matches('textarea, select, [role="textbox"], [role="combobox"]');
}

/** Whether no box stands above the page. */
const isFree = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"]') === null;

function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !takesKeys(event.target) && isFree();
}

/** Puts the focus into the search of the page, where it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (!search?.checkVisibility()) return false;
  search.focus();
  search.select();
  return true;
}

/** The box that a key opens on every page; null for all other keys, and where they belong to what has the focus. */
function boxOf(event: KeyboardEvent): Box | null {
  const { key } = event;
  if (key === 'k' && (event.ctrlKey || event.metaKey)) return isFree() ? 'palette' : null;
  if (!singleKeysOn() || !isForPage(event)) return null;
  if (key === '?') return 'list';
  return key === '/' ? 'palette' : null;
}

/** `/` goes to the search of a page, or opens the palette as Ctrl-K does, `?` lists the shortcuts; a button lists them too. */
export function Shortcuts() {
  const [open, setOpen] = useState<Box | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const box = boxOf(event);
      if (!box) return;
      event.preventDefault();
      if (event.key !== '/' || !focusSearch()) setOpen(box);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const Opened = open && BOXES[open];
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen('list')}>
        Keyboard shortcuts
      </Button>
      {Opened && (
        <Suspense>
          <Opened onClose={() => setOpen(null)} onGo={navigate} />
        </Suspense>
      )}
    </>
  );
}
