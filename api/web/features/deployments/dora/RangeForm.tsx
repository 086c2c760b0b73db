import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Field } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { getRange } from './filters.js';
import type { DoraFilters } from './filters.js';
import styles from './Dora.module.css';
import { INTERVALS, TIERS } from './metrics.js';

const CHOICES = Object.entries(INTERVALS).map(([value, label]) => ({ value, label }));

/** The address of the form's filters, without a point. */
function readSearch(values: FormData): URLSearchParams {
  const next = new URLSearchParams();
  for (const name of ['interval', 'start', 'end']) {
    const value = String(values.get(name) ?? '');
    if (value !== '') next.set(name, value);
  }
  const tiers = values.getAll('tier').map(String);
  if (tiers.length > 0) next.set('tiers', tiers.join(','));
  return next;
}

/** The days, interval and environments of the metrics. The filters are stored in the address. */
export function RangeForm({ filters }: { filters: DoraFilters }) {
  const [search, setSearch] = useSearchParams();
  // Fields retain the selection until it is submitted; another address resets them, and the focus stays.
  const address = search.toString();
  const [chosen, choose] = useState({ address, interval: filters.interval as string });
  const interval = chosen.address === address ? chosen.interval : filters.interval;
  const form = useRef<HTMLFormElement>(null);
  const { from, to } = getRange(filters);
  const tiers = filters.tiers.join(',');
  useEffect(() => {
    const { elements } = form.current as HTMLFormElement;
    (elements.namedItem('start') as HTMLInputElement).value = from;
    (elements.namedItem('end') as HTMLInputElement).value = to;
    for (const checkbox of form.current?.querySelectorAll<HTMLInputElement>('input[name="tier"]') ?? [])
      checkbox.checked = tiers.split(',').includes(checkbox.value);
  }, [from, to, tiers]);
  return (
    <form
      ref={form}
      className={styles.range}
      aria-label="Range"
      onSubmit={(event) => {
        event.preventDefault();
        const next = readSearch(new FormData(event.currentTarget));
        choose({ address: next.toString(), interval });
        setSearch(next);
      }}
    >
      <Field label="From" name="start" type="date" />
      <Field label="To" name="end" type="date" />
      <Select
        label="Interval"
        name="interval"
        choices={CHOICES}
        value={interval}
        onChoose={(value) => choose({ address, interval: value })}
      />
      <fieldset className={styles.wide}>
        <legend className={styles.quiet}>Environment tiers</legend>
        <div className={styles.tiers}>
          {TIERS.map((tier) => (
            <label key={tier} className={styles.tier}>
              <input type="checkbox" name="tier" value={tier} /> {tier}
            </label>
          ))}
        </div>
      </fieldset>
      <div className={styles.wide}>
        <Button type="submit">Show</Button>
      </div>
    </form>
  );
}
