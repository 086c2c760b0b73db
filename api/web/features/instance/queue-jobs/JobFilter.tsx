import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { FilterForm } from '../../../app/forms/FilterForm.js';
import { Field } from '../../../app/forms/Form.js';
import { FILTERS, filterIn } from './job-queries.js';
import type { Filter, FilterName } from './job-queries.js';

const LABELS: Record<FilterName, string> = {
  search: 'ID or queue',
  error: 'Error',
  user: 'User',
  project: 'Project',
  created_after: 'Created after',
  created_before: 'Created before',
};

const isTime = (name: FilterName) => name === 'created_after' || name === 'created_before';

/** `2030-01-01T00:00`, on the viewer's clock, as fields for times have it. */
function localTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The filter fields of a list of jobs. Their values are stored in the address, times in UTC. */
export function JobFilter({ ofQueue }: { ofQueue: boolean }) {
  const [search] = useSearchParams();
  const filter = filterIn(search);
  const form = useRef<HTMLFormElement>(null);
  // Fields retain the typed text until it is submitted; another address resets them, and the focus stays.
  const filterJson = JSON.stringify(filter);
  useEffect(() => {
    const held = JSON.parse(filterJson) as Filter;
    for (const name of FILTERS) {
      const field = form.current?.elements.namedItem(name) as HTMLInputElement;
      field.value = isTime(name) ? localTime(held[name] ?? '') : (held[name] ?? '');
    }
  }, [filterJson]);
  const cleared = new URLSearchParams(search);
  for (const name of [...FILTERS, 'cursor']) cleared.delete(name);
  return (
    <FilterForm
      ref={form}
      filtered={Object.keys(filter).length > 0}
      cleared={cleared}
      applied={(values) => {
        const next = new URLSearchParams(cleared);
        for (const [name, value] of values)
          next.set(name, isTime(name as FilterName) ? new Date(value).toISOString() : value);
        return next;
      }}
    >
      {FILTERS.map((name) => (
        <Field
          key={name}
          label={ofQueue && name === 'search' ? 'ID' : LABELS[name]}
          name={name}
          type={isTime(name) ? 'datetime-local' : name === 'error' ? 'search' : 'text'}
          autoComplete="off"
          maxLength={255}
        />
      ))}
    </FilterForm>
  );
}
