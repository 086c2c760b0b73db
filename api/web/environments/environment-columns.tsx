import { State } from '../look/State.js';
import type { Tone } from '../look/State.js';
import type { Column } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import styles from './Environments.module.css';
import type { ListedEnvironment } from './queries.js';

const TONES: Readonly<Record<string, Tone>> = { available: 'good', stopping: 'warn', stopped: 'quiet' };

/** As many digits as name a commit for people. */
const SHORT_SHA = 8;

/** What a list shows of each environment. */
export const environmentColumns: Column<ListedEnvironment>[] = [
  { title: 'Environment', cell: (environment) => <Name environment={environment} /> },
  { title: 'State', cell: ({ state }) => <State tone={TONES[state] ?? 'quiet'}>{state}</State> },
  { title: 'Last deployment', cell: (environment) => <Deployed environment={environment} /> },
  {
    title: 'By',
    cell: ({ lastDeployment: last }) => last && <Whole>{last.triggerer?.name ?? 'somebody who is gone'}</Whole>,
  },
  { title: 'When', cell: ({ lastDeployment: last }) => last?.finishedAt && <Time at={last.finishedAt} /> },
];

function Name({ environment: { name, tier, externalUrl } }: { environment: ListedEnvironment }) {
  return (
    <div className={styles.environment}>
      <span className={styles.name}>
        <Whole>{name}</Whole>
      </span>
      <span className={styles.quiet}>{tier.toLowerCase()}</span>
      {externalUrl && (
        <a href={externalUrl} rel="noreferrer">
          <Whole>{externalUrl}</Whole>
        </a>
      )}
    </div>
  );
}

function Deployed({ environment: { lastDeployment: last } }: { environment: ListedEnvironment }) {
  if (!last) return <span className={styles.quiet}>nothing yet</span>;
  return (
    <div className={styles.environment}>
      <span>
        #{last.iid} from <Whole>{last.ref}</Whole>
      </span>
      <span className={styles.quiet}>commit {last.sha.slice(0, SHORT_SHA)}</span>
    </div>
  );
}
