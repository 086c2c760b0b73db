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

const isUsable = (path: string) => !path.includes('\0') && !path.startsWith('-') && !path.split('/').includes('..');

/** The configuration of a project at a commit, by its setting (ci-execution.md section 2). */
export async function readConfiguration(
  ctx: Context,
  project: ProjectRecord,
  sha: string,
): Promise<ConfigurationSource> {
  const configPath = await loadConfigPath(ctx, project);
  const path = configPath === '' ? DEFAULT_PATH : configPath;
  if (!isUsable(path)) return { configPath, text: null };
  const answer = await new IncludedFiles(ctx, project).read(requestFile(path, project, sha));
  return { configPath, text: 'files' in answer ? (answer.files[0]?.text ?? null) : null };
}
