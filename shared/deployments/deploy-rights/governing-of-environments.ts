import { load } from '../../core/context/loads.js';
import { projectEnvironmentPolicy } from '../environments/environment.policy.js';
import type { EnvironmentRecord } from '../environments/environment.record.js';
import { governingEntries } from '../protected-environments/governing.js';
import type { GoverningEnvironment } from '../protected-environments/governing.js';

/** What governs each of a page of environments, for those who may ask who deploys there. One statement. */
export const governingOfEnvironments = load(
  (environment: Readonly<EnvironmentRecord>) => environment.id,
  async (ctx, environments): Promise<Map<number, GoverningEnvironment[]>> => {
    const open = environments.filter(({ project }) => projectEnvironmentPolicy.read_deploy_rights(ctx.caller, project));
    const governing = await governingEntries(ctx, open);
    return new Map(open.map(({ id }, index) => [id, governing[index] ?? []]));
  },
);
