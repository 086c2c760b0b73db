import { commitPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import { State } from '../../../ui/State.js';
import type { Tone } from '../../../ui/State.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Environments.module.css';
import type { ListedEnvironment, Protection } from './queries.js';

const TONES: Readonly<Record<string, Tone>> = { available: 'good', stopping: 'warn', stopped: 'quiet' };

/** As many digits as name a commit for people. */
const SHORT_SHA = 8;

/** The columns of a list of environments. */
export const environmentColumns = (path: string): Column<ListedEnvironment>[] => [
  { title: 'Environment', cell: (environment) => <Name environment={environment} /> },
  { title: 'State', cell: ({ state }) => <State tone={TONES[state] ?? 'quiet'}>{state}</State> },
  { title: 'Last deployment', cell: (environment) => <Deployed path={path} environment={environment} /> },
  {
    title: 'Triggered by',
    cell: ({ lastDeployment: last }) => last && <UnbrokenText>{last.triggerer?.name ?? 'Deleted user'}</UnbrokenText>,
  },
  { title: 'Date', cell: ({ lastDeployment: last }) => last?.finishedAt && <Time at={last.finishedAt} /> },
  { title: 'Protection', cell: (environment) => <Protections environment={environment} /> },
];

function Name({ environment: { name, tier, externalUrl } }: { environment: ListedEnvironment }) {
  return (
    <div className={styles.environment}>
      <span className={styles.name}>
        <UnbrokenText>{name}</UnbrokenText>
      </span>
      {tier && <span className={styles.quiet}>tier {tier.toLowerCase()}</span>}
      {externalUrl && (
        <a href={externalUrl} rel="noreferrer">
          <UnbrokenText>{externalUrl}</UnbrokenText>
        </a>
      )}
    </div>
  );
}

/**
 * A running or failed deployment after the current one: without it, the list would look as if no deployment had been
 * attempted.
 */
function getLater({ lastDeployment: last, running, failed }: ListedEnvironment) {
  const [current = null] = [running, failed]
    .filter((one) => one !== null)
    .toSorted((one, other) => Number(other.iid) - Number(one.iid));
  return current && Number(current.iid) > Number(last?.iid ?? 0) ? current : null;
}

function Deployed({ path, environment }: { path: string; environment: ListedEnvironment }) {
  const { lastDeployment: last, running } = environment;
  const later = getLater(environment);
  return (
    <div className={styles.environment}>
      {last ? (
        <>
          <span>
            #{last.iid} from <UnbrokenText>{last.ref ?? ''}</UnbrokenText>
          </span>
          {last.sha && (
            <span className={styles.quiet}>
              commit <Link to={commitPath(path, last.sha)}>{last.sha.slice(0, SHORT_SHA)}</Link>
            </span>
          )}
        </>
      ) : (
        <span className={styles.quiet}>no deployments yet</span>
      )}
      {later && (
        <span>
          <State tone={later === running ? 'quiet' : 'bad'}>
            {`#${later.iid} from ${later.ref} ${later === running ? 'running' : 'failed'}`}
          </State>{' '}
          <Time at={later.createdAt ?? ''} />
        </span>
      )}
    </div>
  );
}

const describeLevels = (nodes: readonly { accessLevelDescription: string | null }[] | undefined) =>
  (nodes ?? []).map(({ accessLevelDescription: description }) => description ?? 'administrators').join(', ');

function getApprovals({ approvalRules }: Protection): string {
  const rules = approvalRules?.nodes ?? [];
  if (rules.length === 0) return '';
  const descriptions = rules.map(
    ({ accessLevelDescription: who, requiredApprovals: count }) => `${count} of ${who ?? 'administrators'}`,
  );
  return `; approvals: ${descriptions.join(', ')}`;
}

function Protections({ environment: { protectedEnvironments: protection } }: { environment: ListedEnvironment }) {
  if (!protection) return '';
  if (protection.nodes.length === 0) return <span className={styles.quiet}>none</span>;
  return (
    <div className={styles.environment}>
      {protection.nodes.map((one) => (
        <span key={one.group?.fullPath ?? ''}>
          <UnbrokenText>
            {`${one.group ? `by group ${one.group.fullPath}: ` : ''}${describeLevels(one.deployAccessLevels?.nodes)} can deploy${getApprovals(one)}`}
          </UnbrokenText>
        </span>
      ))}
    </div>
  );
}
