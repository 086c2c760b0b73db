import { lazy, Suspense } from 'react';
import type { ComponentProps } from 'react';

const Confirm = lazy(async () => ({ default: (await import('../look/Confirm.js')).Confirm }));

/** Asks before something is done. What draws the box loads once somebody is asked: the first view goes without. */
export function AskFirst(props: ComponentProps<typeof Confirm>) {
  return (
    <Suspense>
      <Confirm {...props} />
    </Suspense>
  );
}
