import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { State } from '../../../ui/State.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { useCancelAutoMerge, useMerge, useRebase } from './changes.js';
import { formatMergeability } from './format-mergeability.js';
import { mayPushToSourceQuery } from './queries.js';
import type { MergeRequestDetails } from './queries.js';

interface PartProps {
  path: string;
  request: MergeRequestDetails;
  onSaid: (said: string) => void;
}

interface MergingProps extends PartProps {
  /** The commit that the person saw. */
  head: string | null;
  /** The user's own action replaces the head. */
  onRebase: () => void;
}

/** Pipelines that come to an end by themselves. */
const RUNNING = new Set(['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled']);

const isRunning = ({ head_pipeline: pipeline }: MergeRequestDetails) =>
  pipeline !== null && RUNNING.has(pipeline.status);

/** Whether an open merge request can be merged, what blocks it, and the buttons for users with permission. */
export function Merging({ path, request, head, onSaid, onRebase }: MergingProps) {
  const person = useSession().data?.user ?? null;
  // Here rather than in the button components: those unmount when the action succeeds, but its result must be reported.
  const merge = useMerge(path, request.iid);
  const cancel = useCancelAutoMerge(path, request.iid);
  const rebase = useRebase(path, request.iid);
  const mergeability = formatMergeability(request);
  if (!mergeability || !person) return null;
  const [tone, why] = mergeability;
  const mergeable = request.detailed_merge_status === 'mergeable';
  const waits = request.merge_when_pipeline_succeeds;
  return (
    <Section title="Merge">
      <Card>
        <p>
          <State tone={tone}>{mergeable ? 'Ready to merge.' : `Merge blocked: ${why}.`}</State>
        </p>
        {!request.user.can_merge && (
          <p>
            <UnbrokenText>{`You need permission to push or merge to ${request.target_branch}.`}</UnbrokenText>
          </p>
        )}
        <Rebasing path={path} request={request} rebase={rebase} onSaid={onSaid} onRebase={onRebase} />
        {waits && <Waiting request={request} cancel={cancel} onSaid={onSaid} />}
        {request.user.can_merge && !waits && (mergeable || isRunning(request)) && (
          <MergeForm request={request} head={head} merge={merge} onSaid={onSaid} />
        )}
      </Card>
    </Section>
  );
}

interface WaitingProps extends Omit<PartProps, 'path'> {
  cancel: ReturnType<typeof useCancelAutoMerge>;
}

/** Auto-merge: it is merged once its pipeline succeeds, unless a user with permission cancels it. */
function Waiting({ request, cancel, onSaid }: WaitingProps) {
  const by = request.merge_user ? `, set by ${request.merge_user.name}` : '';
  return (
    <>
      {cancel.error && <Problem error={cancel.error} />}
      <p>
        <UnbrokenText>{`Set to auto-merge when the pipeline succeeds${by}.`}</UnbrokenText>
      </p>
      {(request.user.can_merge || request.extras.userPermissions.updateMergeRequest) && (
        <div>
          <Button
            busy={cancel.isPending}
            onClick={() => cancel.mutate(undefined, { onSuccess: () => onSaid('Auto-merge canceled.') })}
          >
            Cancel auto-merge
          </Button>
        </div>
      )}
    </>
  );
}

interface RebasingProps extends PartProps, Pick<MergingProps, 'onRebase'> {
  rebase: ReturnType<typeof useRebase>;
}

/** How many commits the source branch is behind the target branch, and the rebase button. */
function Rebasing({ path, request, rebase, onSaid, onRebase }: RebasingProps) {
  const behind = request.diverged_commits_count ?? 0;
  const isThere = request.source_project_id !== null;
  const mayPush = useQuery({ ...mayPushToSourceQuery(path, request), enabled: behind > 0 && isThere }).data === true;
  if (request.rebase_in_progress) return <p>Rebase in progress.</p>;
  if (behind === 0) return null;
  return (
    <>
      {rebase.error && <Problem error={rebase.error} />}
      <p>
        <UnbrokenText>
          {`${request.source_branch} is ${behind === 1 ? '1 commit' : `${behind} commits`} behind ${request.target_branch}.`}
        </UnbrokenText>
      </p>
      {mayPush && (
        <div>
          <Button
            busy={rebase.isPending}
            onClick={() =>
              rebase.mutate(undefined, {
                onSuccess: () => {
                  onRebase();
                  onSaid('Rebase started.');
                },
              })
            }
          >
            Rebase
          </Button>
        </div>
      )}
    </>
  );
}

interface MergeFormProps extends Omit<MergingProps, 'path' | 'onRebase'> {
  merge: ReturnType<typeof useMerge>;
}

function MergeForm({ request, head, merge, onSaid }: MergeFormProps) {
  const later = isRunning(request);
  return (
    <Form
      submit={later ? 'Merge when pipeline succeeds' : 'Merge'}
      busy={merge.isPending}
      problem={merge.error}
      fields={[]}
      onSubmit={(values) =>
        merge.mutate(
          {
            ...(head === null ? {} : { sha: head }),
            ...(later ? { auto_merge: true } : {}),
            squash: values.get('squash') !== null,
            should_remove_source_branch: values.get('remove') !== null,
          },
          { onSuccess: ({ state }) => onSaid(state === 'merged' ? 'Merged.' : 'Set to auto-merge.') },
        )
      }
    >
      <Check
        label="Squash commits"
        name="squash"
        hint="Combine all commits into one. Project settings can require or disallow this."
        on={request.squash_on_merge}
      />
      <Check
        label="Delete source branch"
        name="remove"
        hint={`Deletes ${request.source_branch} after the merge.`}
        on={request.force_remove_source_branch === true}
      />
    </Form>
  );
}
