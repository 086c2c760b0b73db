import { FilterForm } from '../../../app/forms/FilterForm.js';
import { Field } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { getAddress, readFilters, LAST_RUNS } from './filter.js';
import type { ScheduleFilters, LastRun } from './filter.js';
import { useFilterDraft } from '../../../app/forms/filter-draft.js';

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Paused' },
];

const LAST_RUN_LABELS: Readonly<Record<LastRun, string>> = {
  failed: 'failed',
  missed: 'missed',
  skipped: 'skipped',
  fired: 'fired',
  pending: 'starting',
};

/** The filter fields of a list of schedules. Their values are stored in the address. */
export function ScheduleFilter({ filters }: { filters: ScheduleFilters }) {
  const [held, hold] = useFilterDraft(filters);
  return (
    <FilterForm
      narrow
      filtered={getAddress(filters) !== '?'}
      applied={(params) => new URLSearchParams(getAddress(readFilters(params)))}
    >
      <Field
        label="Description"
        name="search"
        type="search"
        value={held.search ?? ''}
        onChange={(event) => hold({ search: event.currentTarget.value })}
        maxLength={255}
      />
      <Field
        label="Owner"
        name="owner"
        placeholder="Username"
        value={held.owner ?? ''}
        onChange={(event) => hold({ owner: event.currentTarget.value })}
        maxLength={255}
        autoComplete="off"
      />
      <Select
        label="State"
        name="state"
        choices={STATES}
        value={held.state}
        onChoose={(state) => hold({ state: state as ScheduleFilters['state'] })}
      />
      <Select
        label="Last run"
        name="last"
        none="Any"
        choices={LAST_RUNS.map((value) => ({ value, label: LAST_RUN_LABELS[value] }))}
        value={held.last}
        onChoose={(last) => hold({ last: last as ScheduleFilters['last'] })}
      />
    </FilterForm>
  );
}
