import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { jobsPath, runnersPath } from '../../../app/routing/paths.js';
import { ButtonLink } from '../../../ui/Button.js';
import { State } from '../../../ui/State.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useRole } from '../../../data/member-rights.js';
import { BuiltInRunnerNote, isBuiltIn } from '../runners/index.js';
import { describeReason, getAdvice, hasFittingRunner } from './explanations.js';
import { Notice } from './Notice.js';
import { jobQueueQuery } from './queries.js';
import type { Job } from './queries.js';

const MAINTAINER = 40;
/** Pages are not notified of changes in the queue of other projects, so they poll. */
const POLL_MS = 10_000;

/** The way to the runners of a project, for those who may see them. */
function RunnersLink({ path }: { path: string }) {
  const maintains = useRole({ kind: 'project', path }) >= MAINTAINER;
  return maintains && <ButtonLink to={runnersPath({ kind: 'project', path })}>Runners of the project</ButtonLink>;
}

/** That no runner can take a job now that waits, on the page of its pipeline. */
export function JobWithoutRunner({ path, job }: { path: string; job: Job }) {
  const { data: queue } = useQuery({ ...jobQueueQuery(path, job.id), refetchInterval: POLL_MS });
  if (!queue || hasFittingRunner(queue)) return null;
  return (
    <Notice title="No runner can take the jobs now" tone="warn" actions={<RunnersLink path={path} />}>
      <p>
        <Link to={jobsPath(path, job.id)}>
          <UnbrokenText>{job.name}</UnbrokenText>
        </Link>{' '}
        waits. {getAdvice(queue, job.tag_list)}
      </p>
    </Notice>
  );
}

/** Why a job waits for a runner: which ones there are, and why each does not take it. */
export function JobQueueView({ path, job }: { path: string; job: Job }) {
  const { data: queue } = useQuery({ ...jobQueueQuery(path, job.id), refetchInterval: POLL_MS });
  const builtIn = queue?.runners.find((runner) => isBuiltIn(runner) && !runner.reasons.includes('kind'));
  const fits = queue === undefined || hasFittingRunner(queue);
  return (
    <Notice
      title={fits ? 'Waits for a runner' : 'No runner can take this job now'}
      tone={fits ? 'quiet' : 'warn'}
      actions={<RunnersLink path={path} />}
    >
      {queue && (
        <>
          <p>
            {queue.position !== null && `It is number ${queue.position} among the waiting jobs of the project. `}
            {getAdvice(queue, job.tag_list)}
          </p>
          {builtIn && (
            <p>
              <BuiltInRunnerNote id={builtIn.id} />
            </p>
          )}
          {queue.runners.length > 0 && (
            <Table
              caption="Runners and this job"
              rows={queue.runners}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Runner',
                  cell: ({ id, description }) => (description ? `#${id} ${description}` : `#${id}`),
                },
                {
                  title: 'Takes this job',
                  cell: ({ fits: takes, reasons }) =>
                    takes && reasons.length === 0 ? (
                      <State tone="good">yes</State>
                    ) : (
                      <State tone={takes ? 'warn' : 'quiet'}>
                        {`${takes ? 'yes, but' : 'no, it'} ${reasons.map(describeReason).join(', ')}`}
                      </State>
                    ),
                },
              ]}
            />
          )}
        </>
      )}
    </Notice>
  );
}
