import { DayFields } from '../../../app/forms/DayFields.js';
import { FilterForm } from '../../../app/forms/FilterForm.js';
import { Select } from '../../../ui/Select.js';
import { useFilterDraft } from '../../../app/forms/filter-draft.js';
import type { LedgerFilters } from './ledger-queries.js';
import { OUTCOMES } from './labels.js';

const LAST = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
];

/** The outcome and days that filter a ledger. They are stored in the address. */
export function LedgerFilter({ filters }: { filters: LedgerFilters }) {
  const { outcome, last, from, to } = filters;
  const [held, hold] = useFilterDraft<Record<'outcome' | 'last' | 'from' | 'to', string>>({ outcome, last, from, to });
  return (
    <FilterForm narrow filtered={outcome !== '' || last !== '' || from !== '' || to !== ''}>
      <Select
        label="Outcome"
        name="outcome"
        none="All"
        choices={Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label }))}
        value={held.outcome}
        onChoose={(value) => hold({ outcome: value })}
      />
      <Select
        label="Due"
        name="last"
        none="Any time"
        choices={LAST}
        value={held.last}
        onChoose={(value) => hold(value === '' ? { last: '' } : { last: value, from: '', to: '' })}
      />
      <DayFields held={held} onHold={(days) => hold({ ...days, last: '' })} />
    </FilterForm>
  );
}
