import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.js';
import { useDebounced } from '../../ui/use-debounced.js';
import { pageActions } from './page-actions.js';
import type { PageAction } from './page-actions.js';
import { useMenu } from '../routing/menu.js';
import { useSession } from '../../data/session.js';
import { Choices } from './Choices.js';
import type { Choice } from './Choices.js';
import styles from './Palette.module.css';
import { useFound } from './search.js';

/** The pause in typing after which the search starts. */
const PAUSE_MS = 150;

/** Copies a text to the clipboard, and returns a message about the result. */
async function copied(text: string): Promise<string> {
  try {
    // Without https there is no clipboard.
    await navigator.clipboard.writeText(text);
    return `Copied ${text}`;
  } catch {
    return `Your browser blocked copying. Copy this: ${text}`;
  }
}

const matches = (typed: string) => {
  const terms = typed.toLowerCase().split(/\s+/);
  return ({ label: own }: PageAction) => terms.every((word) => own.toLowerCase().includes(word));
};

interface PaletteProps {
  onClose: () => void;
  /** Goes to a page. */
  onGo: (to: string) => unknown;
}

/** The command palette, available on every page: actions of the page, other pages, and records found by a search. */
export default function Palette({ onClose, onGo }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [said, setSaid] = useState('');
  const [own] = useState(pageActions);
  const session = useSession();
  const person = session.data?.user ?? null;
  const menu = useMenu('palette');
  const pages = person ? [...menu, { label: 'Profile', to: `/${person.username}` }] : menu;
  const text = typed.trim();
  const settled = useDebounced(text, PAUSE_MS);
  const found = useFound(text === '' ? '' : settled, person !== null);
  const go = (to: string) => {
    onClose();
    void onGo(to);
  };
  const act = ({ to, copy, run }: PageAction) => {
    if (copy !== undefined) return void copied(copy).then(setSaid);
    if (to !== undefined) return go(to);
    onClose();
    return run?.();
  };
  const offered = (title: string, actions: readonly PageAction[]) => ({
    title,
    choices: actions.filter(matches(text)).map((action): Choice => ({
      key: `${title} ${action.label}`,
      label: action.label,
      aside: undefined,
      choose: () => act(action),
    })),
  });
  const groups = [
    offered('This page', own),
    ...found.map(({ title, query: { data = [] } }) => ({
      title,
      choices: data.map(({ label, path, to }): Choice => ({
        key: to,
        label,
        aside: path,
        choose: () => go(to),
      })),
    })),
    offered('Pages', session.data ? pages : []),
  ];
  const searching = settled !== text || found.some(({ query }) => query.isFetching);
  const count = groups.reduce((sum, { choices }) => sum + choices.length, 0);
  const failed = found.flatMap(({ title, query: { error } }) => (error ? [`${title}: ${error.message}`] : []));
  return (
    <Dialog title="Go to" onClose={onClose}>
      <Choices
        groups={groups}
        typed={typed}
        onType={(next) => {
          setSaid('');
          setTyped(next);
        }}
      />
      <output className={styles.said}>{said || [formatState(searching, count), ...failed].join('. ')}</output>
    </Dialog>
  );
}

function formatState(searching: boolean, count: number): string {
  if (searching) return 'Searching';
  if (count === 0) return 'No results';
  return count === 1 ? '1 result' : `${count} results`;
}
