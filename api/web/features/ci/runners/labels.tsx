import { State } from '../../../ui/State.js';
import type { Tone } from '../../../ui/State.js';
import type { Runner } from './queries.js';

const STATUSES: Readonly<Record<Runner['status'], readonly [tone: Tone, label: string]>> = {
  online: ['good', 'online'],
  offline: ['warn', 'offline'],
  stale: ['warn', 'not seen for a week'],
  never_contacted: ['quiet', 'never connected'],
};

/** Whether a runner or one of its programs is there. */
export function RunnerStatus({ status, paused = false }: { status: Runner['status']; paused?: boolean }) {
  const [tone, label] = STATUSES[status];
  return paused ? <State tone="quiet">paused, {label}</State> : <State tone={tone}>{label}</State>;
}

const KINDS: Readonly<Record<Runner['runner_type'], string>> = {
  instance_type: 'instance',
  group_type: 'group',
  project_type: 'project',
};

/** What a runner serves: the whole instance, a group or projects. */
export const formatKind = ({ runner_type: type }: Pick<Runner, 'runner_type'>): string => KINDS[type];

/** The name of a runner: `#7 Builder`. */
export const formatRunner = ({ id, description }: Pick<Runner, 'id' | 'description'>): string =>
  description ? `#${id} ${description}` : `#${id}`;

/** The command that connects a runner by its token. */
export const getRegisterCommand = (token: string): string =>
  `gitlab-runner register --url ${window.location.origin} --token ${token}`;
