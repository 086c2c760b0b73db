import { DayFields } from '../../../app/forms/DayFields.js';
import { FilterForm } from '../../../app/forms/FilterForm.js';
import { Field } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { useFilterDraft } from '../../../app/forms/filter-draft.js';
import type { AuditEventFilters } from './queries.js';
import { getKinds } from './kinds.js';

/** The filters of a log: author, resource and days. They are stored in the address. */
export function AuditFilter({ filters, instance }: { filters: AuditEventFilters; instance: boolean }) {
  const [held, hold] = useFilterDraft<AuditEventFilters>(filters);
  return (
    <FilterForm filtered={Object.values(filters).some((value) => value !== '')}>
      <Field
        label="Author"
        name="author"
        placeholder="Username"
        autoComplete="off"
        maxLength={255}
        value={held.author}
        onChange={(event) => hold({ author: event.currentTarget.value })}
      />
      <Select
        label="Type"
        name="kind"
        none="All"
        choices={getKinds(instance)}
        value={held.kind}
        onChoose={(kind) => hold({ kind })}
      />
      <DayFields held={held} onHold={hold} />
    </FilterForm>
  );
}
