import type { ComponentProps } from 'react';
import { later } from '../../ui/later.js';

// What draws dialogs loads once somebody is asked: the first view goes without.
const Confirm = later(async () => ({ default: (await import('./Confirm.js')).Confirm }));
const ReasonDialog = later(async () => ({ default: (await import('./ReasonDialog.js')).ReasonDialog }));

/** Asks before something is done that cannot be undone. */
export function AskFirst(props: ComponentProps<typeof Confirm>) {
  return <Confirm {...props} />;
}

/** Asks for the reason of something that others will ask about. */
export function AskReason(props: ComponentProps<typeof ReasonDialog>) {
  return <ReasonDialog {...props} />;
}
