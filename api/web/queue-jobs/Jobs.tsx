import { useSearchParams } from 'react-router';
import { LinkTabs } from '../look/LinkTabs.js';
import { Section } from '../look/Page.js';
import { filterIn } from './filter.js';
import type { Following } from './following.js';
import { JobFilter } from './JobFilter.js';
import { JobList } from './JobList.js';
import { STATES } from './words.js';
import type { JobState } from './words.js';

interface JobsProps {
  /** Of all queues when left out. */
  queue?: string;
  /** How many there are in a state, where that is known. */
  countOf?: (state: JobState) => number | undefined;
  following: Following;
}

/** Jobs by state (`?state=`), failed ones first, as those are what people come for, with the filter of the address. */
export function Jobs({ queue, countOf, following }: JobsProps) {
  const [search] = useSearchParams();
  const state = STATES.find(([known]) => known === search.get('state'))?.[0] ?? 'failed';
  const asked = { ...(queue === undefined ? {} : { queue }), state, ...filterIn(search) };
  const cursor = search.get('cursor') ?? '';
  const to = (other: JobState) => {
    const params = new URLSearchParams(search);
    params.delete('cursor');
    params.set('state', other);
    return `?${params}`;
  };
  return (
    <Section title="Jobs">
      <LinkTabs
        label="Jobs by state"
        tabs={STATES.map(([known, words]) => ({
          to: to(known),
          words,
          count: countOf?.(known),
          current: known === state,
        }))}
      />
      <JobFilter />
      <JobList key={`${JSON.stringify(asked)} ${cursor}`} asked={asked} cursor={cursor} following={following} />
    </Section>
  );
}
