import type { Context } from '../../core/context/context.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { FileRequest } from './compile.types.js';
import { IncludedFiles } from './read-included-files.js';

const DEFAULT_PATH = '.gitlab-ci.yml';

/** A configuration of a project at a commit. */
export interface ConfigurationSource {
  /** Of the project's setting; empty for the default one. */
  configPath: string;
  /** null for a file that there is not. */
  text: string | null;
  /** Of the file in git; null for a remote one. */
  blob_id: string | null;
}

/** The project's setting `ci_config_path`; empty for the default one. */
export async function loadConfigPath(ctx: Context, project: ProjectRecord): Promise<string> {
  const settings = await ctx.em.findOne(ProjectSettings, { project_id: project.id }, { fields: ['ci_config_path'] });
  return settings?.ci_config_path ?? '';
}

/** `dir/x.yml`, `x.yml@group/project:ref` or an address, as a request for a file. */
function requestFile(path: string, project: ProjectRecord, sha: string): FileRequest {
  const from = { project: project.full_path, sha };
  if (/^https?:\/\//.test(path)) return { kind: 'remote', url: path };
  const [, file, other, ref] = /^([^@]+)@([^:@]+)(?::(.+))?$/.exec(path) ?? [];
  if (file !== undefined && other !== undefined)
    return { kind: 'project', project: other, path: file, ...(ref !== undefined && { ref }), from };
  return { kind: 'local', path, from };
}

/** The path of a configuration in the project's own repository; null for one that lies elsewhere, or can be nowhere. */
export function ownConfigPath(configPath: string): string | null {
  const path = configPath === '' ? DEFAULT_PATH : configPath;
  return isUsable(path) && !/^https?:\/\//.test(path) && !path.includes('@') ? path : null;
}

const isUsable = (path: string) => !path.includes('\0') && !path.startsWith('-') && !path.split('/').includes('..');

/** The configuration of a project at a commit, by its setting (ci-execution.md section 2). */
export async function readConfiguration(
  ctx: Context,
  project: ProjectRecord,
  sha: string,
): Promise<ConfigurationSource> {
  return readConfigurationAt(ctx, project, sha, await loadConfigPath(ctx, project));
}

/** The same for a setting that is known already. */
export async function readConfigurationAt(
  ctx: Context,
  project: ProjectRecord,
  sha: string,
  configPath: string,
): Promise<ConfigurationSource> {
  const path = configPath === '' ? DEFAULT_PATH : configPath;
  if (!isUsable(path)) return { configPath, text: null, blob_id: null };
  const answer = await new IncludedFiles(ctx, project).read(requestFile(path, project, sha));
  const file = 'files' in answer ? answer.files[0] : undefined;
  return { configPath, text: file?.text ?? null, blob_id: file?.blob_id ?? null };
}
