import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { Choices, Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows } from '../../../ui/Table.js';
import { SignedIn } from '../../../app/session/SignedIn.js';

type Setting = Schemas['GlobalNotificationSetting'];
type NotificationAttributes = Schemas['UpdateNotificationSettingsBody'];

const LEVELS = [
  { value: 'participating', label: 'Participate: threads you participate in' },
  { value: 'watch', label: 'Watch: all activity in your projects' },
  { value: 'mention', label: 'On mention: only when you are mentioned' },
  { value: 'custom', label: 'Custom: events selected below' },
  { value: 'disabled', label: 'Disabled' },
];

/** The events to choose from at the custom level; the other levels determine all of them. */
const EVENTS: Readonly<Record<string, string>> = {
  new_release: 'New release',
  new_note: 'New comment',
  new_issue: 'New issue',
  reopen_issue: 'Issue reopened',
  close_issue: 'Issue closed',
  reassign_issue: 'Issue reassigned',
  issue_due: 'Issue due',
  new_merge_request: 'New merge request',
  push_to_merge_request: 'Push to a merge request',
  reopen_merge_request: 'Merge request reopened',
  close_merge_request: 'Merge request closed',
  reassign_merge_request: 'Merge request reassigned',
  change_reviewer_merge_request: 'Merge request reviewers changed',
  merge_merge_request: 'Merge request merged',
  failed_pipeline: 'Failed pipeline',
  fixed_pipeline: 'Fixed pipeline',
  success_pipeline: 'Successful pipeline',
  moved_project: 'Project moved',
  merge_when_pipeline_succeeds: 'Merge request set to auto-merge',
  approver: 'Merge request awaits your approval',
  new_epic: 'New epic',
};

const settingQuery = queryOptions({
  queryKey: ['notification settings'],
  queryFn: () => unwrap(api.GET('/notification_settings')),
});

/** `/-/profile/notifications`: the user's global notification settings, for projects and groups without their own. */
export default function Notifications() {
  return <SignedIn>{() => <Loaded />}</SignedIn>;
}

function Loaded() {
  const { data, error, refetch } = useQuery(settingQuery);
  return (
    <Page
      title="Notifications"
      lead="Your default notification level. This service sends no email: clients that notify you read these settings through the API."
      narrow
    >
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading your settings" />}
      {data && <Edit setting={data} />}
    </Page>
  );
}

const chosenIn = ({ events = {} as NonNullable<Setting['events']> }: Setting): string[] =>
  Object.entries(events)
    .filter(([, on]) => on)
    .map(([name]) => name);

function Edit({ setting }: { setting: Setting }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: NotificationAttributes) => unwrap(api.PUT('/notification_settings', { body })),
    onSuccess: (saved) => queries.setQueryData(settingQuery.queryKey, saved),
  });
  const [level, setLevel] = useState(setting.level === 'global' ? 'participating' : setting.level);
  const [chosen, setChosen] = useState(chosenIn(setting));
  const events =
    level === 'custom' ? Object.fromEntries(Object.keys(EVENTS).map((name) => [name, chosen.includes(name)])) : {};
  return (
    <Card>
      <Said>{change.isSuccess ? 'Saved.' : ''}</Said>
      <Form
        submit="Save"
        busy={change.isPending}
        problem={change.error}
        fields={[]}
        onSubmit={() => change.mutate({ level, ...events })}
      >
        <Select
          label="Notification level"
          name="level"
          choices={LEVELS}
          value={level}
          onChoose={(one) => setLevel(one as typeof level)}
        />
        {level === 'custom' && (
          <Choices
            legend="Events"
            name="events"
            choices={Object.entries(EVENTS).map(([value, description]) => ({ value, description }))}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
      </Form>
    </Card>
  );
}
