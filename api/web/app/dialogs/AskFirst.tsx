import type { ComponentProps } from 'react';
import { later } from '../../ui/later.js';

// Dialogs are loaded on first use: the first view does not include them.
const Confirm = later(async () => ({ default: (await import('./Confirm.js')).Confirm }));
const ReasonDialog = later(async () => ({ default: (await import('./ReasonDialog.js')).ReasonDialog }));

/** Asks for confirmation before an irreversible action. */
export function AskFirst(props: ComponentProps<typeof Confirm>) {
  return <Confirm {...props} />;
}

/** Asks for the reason of an action, for later reference. */
export function AskReason(props: ComponentProps<typeof ReasonDialog>) {
  return <ReasonDialog {...props} />;
}
