import Lens from '../inspector/Lens.js';
import Palette from '../palette/Palette.js';
import ShortcutList from './ShortcutList.js';

interface KeyDialogProps {
  /** The key that opened it. */
  opener: string;
  onClose: () => void;
  /** Goes to a page; without the router here, which would be split for all pages, and so grow. */
  onGo: (to: string) => unknown;
}

/** The dialogs that global keyboard shortcuts open. */
export default function KeyDialog({ opener, onClose, onGo }: KeyDialogProps) {
  if (opener === '?') return <ShortcutList onClose={onClose} />;
  return opener === 'c' ? <Lens onClose={onClose} /> : <Palette onClose={onClose} onGo={onGo} />;
}
