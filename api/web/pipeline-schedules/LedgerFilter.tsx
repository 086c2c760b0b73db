import { useSearchParams } from 'react-router';
import { FilterButtons } from '../look/FilterButtons.js';
import { Field } from '../look/Form.js';
import { Select } from '../look/Select.js';
import { useAsked } from '../look/asked.js';
import type { AskedLedger } from './ledger-queries.js';
import styles from './Schedule.module.css';
import { OUTCOMES } from './words.js';

const LAST = [
  { value: 'hour', words: 'In the last hour' },
  { value: 'day', words: 'In the last 24 hours' },
  { value: 'week', words: 'In the last 7 days' },
  { value: 'month', words: 'In the last 30 days' },
];

/** By which outcome and in which days a ledger is shown. It stands in the address. */
export function LedgerFilter({ asked }: { asked: AskedLedger }) {
  const [, setSearch] = useSearchParams();
  const { outcome, last, from, to } = asked;
  const [held, hold] = useAsked<Record<'outcome' | 'last' | 'from' | 'to', string>>({ outcome, last, from, to });
  const filtered = outcome !== '' || last !== '' || from !== '' || to !== '';
  return (
    <search>
      <form
        className={styles.filter}
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(Object.fromEntries(Object.entries(held).filter(([, value]) => value !== '')));
        }}
      >
        <Select
          label="Outcome"
          name="outcome"
          none="All"
          choices={Object.entries(OUTCOMES).map(([value, { words }]) => ({ value, words }))}
          value={held.outcome}
          onChoose={(value) => hold({ outcome: value })}
        />
        <Select
          label="Due"
          name="last"
          none="At any time"
          choices={LAST}
          value={held.last}
          onChoose={(value) => hold(value === '' ? { last: '' } : { last: value, from: '', to: '' })}
        />
        <Field
          label="From day"
          name="from"
          type="date"
          value={held.from}
          onChange={(event) => hold({ from: event.currentTarget.value, last: '' })}
        />
        <Field
          label="To day"
          name="to"
          type="date"
          value={held.to}
          onChange={(event) => hold({ to: event.currentTarget.value, last: '' })}
        />
        <FilterButtons filtered={filtered} />
      </form>
    </search>
  );
}
