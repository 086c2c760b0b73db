import { useQuery } from '@tanstack/react-query';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { runnerQuery } from './queries.js';
import type { Runner } from './queries.js';

/** Whether a runner is the one that comes with the service. */
export const isBuiltIn = ({ runner_type: type, description }: Pick<Runner, 'runner_type' | 'description'>): boolean =>
  type === 'instance_type' && description === 'built-in';

/** Why the built-in runner does not run: the service notes that where it can't start it, and clears the note where it can. */
export function BuiltInRunnerNote({ id }: { id: number }) {
  const note = useQuery(runnerQuery(id)).data?.maintenance_note;
  return note ? <UnbrokenText>{note}</UnbrokenText> : null;
}
