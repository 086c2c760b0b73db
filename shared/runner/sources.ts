import { quote } from './isolation.js';
import type { JobPayload } from './protocol.js';
import type { JobVariables } from './variables.js';

/** Asks for the password where git can't show it to anybody: in the environment. */
const CREDENTIALS = `credential.helper=!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$CAPSTAN_GIT_USER" "$CAPSTAN_GIT_PASSWORD"; }; f`;

/** The script that brings the commit of a job into its directory; an empty one where nothing is to be done. */
export function sourcesScript(job: JobPayload, variables: JobVariables, directory: string): string {
  const strategy = variables.get('GIT_STRATEGY') || (job.allow_git_fetch === false ? 'clone' : 'fetch');
  if (strategy === 'none') return '';
  const empty = `find ${quote(directory)} -mindepth 1 -delete`;
  if (strategy === 'empty') return empty;
  if (strategy !== 'clone' && strategy !== 'fetch')
    return `printf '%s\\n' ${quote(`GIT_STRATEGY is "${strategy}"; it may be fetch, clone, none or empty.`)}; exit 1`;
  const url = new URL(job.git_info.repo_url);
  const [user, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  const { sha, depth = 0, refspecs = [] } = job.git_info;
  const limit = depth > 0 ? `--depth ${depth} ` : '';
  const flags = variables.get('GIT_FETCH_EXTRA_FLAGS') || '--prune --quiet';
  const clean = variables.get('GIT_CLEAN_FLAGS') || '-ffdx';
  const fetch = `git -c credential.helper= -c ${quote(CREDENTIALS)} -c http.userAgent=capstan-runner fetch ${limit}${flags} origin ${refspecs.map(quote).join(' ')}`;
  const format = job.git_info.repo_object_format === 'sha256' ? ' --object-format=sha256' : '';
  return [
    `export GIT_TERMINAL_PROMPT=0 CAPSTAN_GIT_USER=${quote(user ?? '')} CAPSTAN_GIT_PASSWORD=${quote(password ?? '')}`,
    strategy === 'clone' ? empty : '',
    // An earlier job may have left commands here that git would run.
    'rm -rf .git/config .git/hooks .git/config.worktree .git/info .git/modules; rm -f .git/*.lock .git/refs/*/*.lock',
    `git init --quiet --template=${format} .`,
    `git config remote.origin.url ${quote(url.href)}`,
    'git config fetch.recurseSubmodules false',
    `git config gc.auto 0`,
    repeated(fetch, Number(variables.get('GET_SOURCES_ATTEMPTS')) || 1),
    ...(variables.get('GIT_CHECKOUT') === 'false' ? [] : [`git checkout --force --quiet --detach ${quote(sha)}`]),
    ...(strategy === 'fetch' && clean !== 'none' ? [`git clean ${clean} --quiet`] : []),
    `printf '%s\\n' ${quote(`The sources are those of ${sha.slice(0, 8)} (${job.git_info.ref}).`)}`,
    ...submodules(variables),
    'unset CAPSTAN_GIT_USER CAPSTAN_GIT_PASSWORD',
  ].join('\n');
}

function repeated(command: string, attempts: number): string {
  const times = Math.min(Math.max(Math.trunc(attempts), 1), 10);
  return Array.from({ length: times }, () => command).join(' || ');
}

function submodules(variables: JobVariables): string[] {
  const strategy = variables.get('GIT_SUBMODULE_STRATEGY') || 'none';
  if (strategy !== 'normal' && strategy !== 'recursive') return [];
  const recursive = strategy === 'recursive' ? ' --recursive' : '';
  const depth = Number(variables.get('GIT_SUBMODULE_DEPTH')) || 0;
  const config = `git -c credential.helper= -c ${quote(CREDENTIALS)}`;
  const paths = variables.get('GIT_SUBMODULE_PATHS').split(/\s+/).filter(Boolean).map(quote).join(' ');
  return [
    `git submodule sync --quiet${recursive}`,
    `${config} submodule update --init --force --quiet${recursive}${depth > 0 ? ` --depth ${depth}` : ''}${paths && ` -- ${paths}`}`,
    `git submodule --quiet foreach${recursive} 'git clean -ffdx --quiet'`,
  ];
}
