import { useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../look/Button.js';
import { Field } from '../look/Form.js';
import { Select } from '../look/Select.js';
import { askedIn, FILTERS, ORDERS, orderParams } from './filter.js';
import type { AskedIssues, FilterName, Order } from './filter.js';
import styles from './IssueList.module.css';
import type { IssuesProject } from './queries.js';

const LABELS: Record<FilterName, string> = {
  search: 'Words in title or description',
  labels: 'Labels',
  author_username: 'Author',
  assignee_username: 'Assignee',
  milestone: 'Milestone',
};

/** What the words of a filter mean beyond names; the API's own. */
const HINTS: Partial<Record<FilterName, string>> = {
  labels: 'All of these, by commas; None, Any',
  author_username: 'User name',
  assignee_username: 'User name',
  milestone: 'Title; None, Any, Upcoming, Started',
};

const CHOICES = Object.entries(ORDERS).map(([value, words]) => ({ value, words }));

/** The address of the list that the fields ask for: its first page. */
function wanted(search: URLSearchParams, values: FormData): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('page');
  for (const name of FILTERS) {
    const value = String(values.get(name) ?? '').trim();
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  for (const [name, value] of Object.entries(orderParams(values.get('order') as Order))) next.set(name, value);
  return next;
}

/** The fields by which the list is narrowed and ordered. What they hold stands in the address. */
export function IssueFilter({ project }: { project: IssuesProject | undefined }) {
  const [search, setSearch] = useSearchParams();
  const asked = askedIn(search);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  // Fields keep what is typed until it is sent; another address fills them anew, and the focus stays.
  const given = JSON.stringify(asked);
  const [chosen, choose] = useState({ given, order: asked.order });
  const order = chosen.given === given ? chosen.order : asked.order;
  useEffect(() => {
    const held = JSON.parse(given) as AskedIssues;
    for (const name of FILTERS) {
      const field = form.current?.elements.namedItem(name) as HTMLInputElement;
      field.value = held.filter[name] ?? '';
    }
  }, [given]);
  return (
    <search>
      <form
        ref={form}
        className={styles.filter}
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(wanted(search, new FormData(event.currentTarget)));
        }}
      >
        {FILTERS.map((name) => (
          <Field
            key={name}
            label={LABELS[name]}
            name={name}
            hint={HINTS[name]}
            type={name === 'search' ? 'search' : 'text'}
            list={name === 'labels' || name === 'milestone' ? `${id}-${name}` : undefined}
            autoComplete="off"
            maxLength={255}
          />
        ))}
        <Titles id={`${id}-labels`} titles={project?.labels?.nodes} />
        <Titles id={`${id}-milestone`} titles={project?.milestones?.nodes} />
        <Select
          label="Order"
          name="order"
          choices={CHOICES}
          value={order}
          onChoose={(value) => choose({ given, order: value as Order })}
        />
        <div className={styles.buttons}>
          <Button type="submit">Filter</Button>
          {Object.keys(asked.filter).length > 0 && (
            <Button kind="quiet" onClick={() => setSearch({ state: asked.state })}>
              Clear
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}

/** What a field offers while somebody writes. */
function Titles({ id, titles = [] }: { id: string; titles: readonly { title: string }[] | undefined }) {
  return (
    <datalist id={id}>
      {titles.map(({ title }) => (
        <option key={title} value={title}>
          {title}
        </option>
      ))}
    </datalist>
  );
}
