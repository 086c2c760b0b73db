import { State } from '../../../ui/State.js';
import { Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { PlanView } from './PlanView.js';
import type { GroupPlan } from './uploading.js';

type PlannedGroup = GroupPlan['groups'][number];

const GROUPS: Column<PlannedGroup>[] = [
  { title: 'Group', cell: ({ name, source_id: id }) => name ?? `#${id} of the archive` },
  {
    title: 'Path',
    cell: ({ full_path: path }) => (path === null ? 'none' : <code>{<UnbrokenText>{path}</UnbrokenText>}</code>),
  },
  {
    title: 'Outcome',
    cell: ({ skipped }) =>
      skipped === null ? (
        <State tone="good">created</State>
      ) : (
        <State tone="warn">
          <UnbrokenText>{`skipped: ${skipped}`}</UnbrokenText>
        </State>
      ),
  },
];

interface GroupPlanViewProps {
  plan: GroupPlan;
  busy: boolean;
  onImport: () => void;
}

/** The records that an import of groups would create and skip. */
export function GroupPlanView({ plan, ...act }: GroupPlanViewProps) {
  return (
    <PlanView plan={plan} details={[['Groups', plan.groups_count.toLocaleString('en')]]} {...act}>
      <Table caption="Groups" rows={plan.groups} keyOf={({ source_id: id }) => id} columns={GROUPS} />
    </PlanView>
  );
}
