import { useQuery } from '@tanstack/react-query';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { RowName } from '../../../app/lists/row-cells.js';
import { SettingsSection, usePage } from '../../../app/settings/SettingsSection.js';
import { Page } from '../../../ui/Page.js';
import { NewLabel } from './NewLabel.js';
import { labelsQuery, useDeleteLabel } from './queries.js';

/** `/<project>/-/labels`: the labels of a project. */
export default function Labels({ path }: { path: string }) {
  const deletion = useDeleteLabel(path);
  return (
    <Page title="Labels">
      <SettingsSection
        list="labels"
        title="Project labels"
        add="New label"
        lead="Labels categorize issues and merge requests."
        form={(done) => <NewLabel path={path} {...done} />}
        query={useQuery(labelsQuery(path, usePage('labels')))}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          { title: 'Name', cell: ({ name, color }) => <RowName name={name} code={color} /> },
          { title: 'Description', cell: ({ description }) => description ?? '' },
        ]}
        actions={[
          {
            label: 'Delete',
            dialog: ({ id, name }, { onClose, onDone }) => (
              <ConfirmChange
                title={`Delete “${name}”?`}
                does="Delete"
                change={deletion}
                variables={id}
                onDone={() => onDone(`Label “${name}” deleted.`)}
                onClose={onClose}
              >
                <p>The label is removed from all issues and merge requests.</p>
              </ConfirmChange>
            ),
          },
        ]}
        empty="No labels yet."
      />
    </Page>
  );
}
