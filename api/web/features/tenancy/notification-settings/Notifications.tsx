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
  { value: 'participating', label: 'Of what you take part in' },
  { value: 'watch', label: 'Of everything in your projects' },
  { value: 'mention', label: 'Where you are named' },
  { value: 'custom', label: 'Of what you choose below' },
  { value: 'disabled', label: 'Of nothing' },
];

/** The events to choose from at the custom level; the other levels determine all of them. */
const EVENTS: Readonly<Record<string, string>> = {
  new_release: 'A new release',
  new_note: 'A comment',
  new_issue: 'A new issue',
  reopen_issue: 'An issue is opened again',
  close_issue: 'An issue is closed',
  reassign_issue: 'An issue gets other assignees',
  issue_due: 'An issue is due',
  new_merge_request: 'A new merge request',
  push_to_merge_request: 'A push to a merge request',
  reopen_merge_request: 'A merge request is opened again',
  close_merge_request: 'A merge request is closed',
  reassign_merge_request: 'A merge request gets other assignees',
  change_reviewer_merge_request: 'A merge request gets other reviewers',
  merge_merge_request: 'A merge request is merged',
  failed_pipeline: 'A pipeline fails',
  fixed_pipeline: 'A pipeline that failed succeeds',
  success_pipeline: 'A pipeline succeeds',
  moved_project: 'A project moves',
  merge_when_pipeline_succeeds: 'A merge request is to be merged once its pipeline succeeds',
  approver: 'You are to approve a merge request',
  new_epic: 'A new epic',
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
      lead="What you are told of, unless a project or group is set otherwise. This service sends no mail: it keeps your choice for programs that tell you, which read it over the API."
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
          label="Tell me"
          name="level"
          choices={LEVELS}
          value={level}
          onChoose={(one) => setLevel(one as typeof level)}
        />
        {level === 'custom' && (
          <Choices
            legend="Of these"
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
