import { useSearchParams } from 'react-router';
import { LinkTabs } from '../../ui/LinkTabs.js';

interface StateTabsProps<S extends string> {
  label: string;
  /** In their order, with what they are called. */
  labels: Readonly<Record<S, string>>;
  states: readonly S[];
  current: S;
  /** How many there are in a state, where that is known. */
  countOf: (state: S) => number | undefined;
}

/**
 * The states that filter a list: `?state=` of the address, whose other parameters remain; each starts at its first
 * page.
 */
export function StateTabs<S extends string>({ label, labels, states, current, countOf }: StateTabsProps<S>) {
  const [search] = useSearchParams();
  const to = (state: S) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    next.set('state', state);
    return `?${next}`;
  };
  return (
    <LinkTabs
      label={label}
      tabs={states.map((state) => ({
        to: to(state),
        label: labels[state],
        count: countOf(state),
        current: state === current,
      }))}
    />
  );
}
