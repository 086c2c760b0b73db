import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { compileConfiguration } from '../../../shared/ci/configuration/compile-configuration.js';
import type {
  Compilation,
  DataAnswer,
  DataRequest,
  FileRequest,
} from '../../../shared/ci/configuration/compile.types.js';
import { ConfigurationError } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { Hash, Value } from '../../../shared/ci/configuration-model/configuration.types.js';
import { findKeyword, KEYWORDS } from '../../../shared/ci/configuration/keywords.js';
import type { KeywordSpot } from '../../../shared/ci/configuration/keywords.js';
import type { IncludeAnswer } from '../../../shared/ci/configuration-files/expand-includes.js';
import { readConfigurationFile } from '../../../shared/ci/configuration-files/read-configuration-file.js';

const FOLDER = path.resolve(import.meta.dirname, '../../../../test/ci/configuration/corpus');
const SOURCES = ['push', 'schedule'];
const ORIGIN = { project: 'group/project', sha: 'a'.repeat(40) };

const FDO_BUILD = '.fdo.container-build@debian: {image: buildah, script: [build], tags: [kvm]}';
const FDO_FAIRY = '.fdo.ci-fairy: {image: fairy, variables: {GIT_DEPTH: 0}}';
const QT6 = `
.linux: {stage: build, tags: [Linux], image: suse}
suse_tumbleweed_qt6: {extends: .linux, script: [run], artifacts: {reports: {junit: a.xml}}}`;
const INPUT_TEMPLATE = `
spec: {inputs: {name: {}, stage: {default: build}, commands: {type: array, default: [make]}}}
---
"$[[ inputs.name ]]-job": {stage: '$[[ inputs.stage ]]', script: '$[[ inputs.commands ]]'}`;

/** Files of other places, by the path in this project, by project and path, or by address. */
const FILES: Record<string, string> = {
  'freedesktop/ci-templates:templates/debian.yml': FDO_BUILD,
  'freedesktop/ci-templates:templates/fedora.yml': '.fdo.container-build@fedora: {script: [build]}',
  'freedesktop/ci-templates:templates/ci-fairy.yml': FDO_FAIRY,
  'templates/debian.yml': FDO_BUILD,
  'templates/ci-fairy.yml': FDO_FAIRY,
  'templates/job.yml': INPUT_TEMPLATE,
  '.gitlab-ci/image-tags.yml': '.set-image-tag: {variables: {TAG: "2024-01-01"}}',
  '.gitlab-ci/build/linux.yml': '.build-common: {script: [meson, ninja], artifacts: {paths: [install]}}',
  'ci/gitlab/rules.yml': '.rules: {always: [{when: always}], scheduled: [{if: $CI_PIPELINE_SOURCE == "schedule"}]}',
  'https://salsa.example.org/pipeline/raw/master/salsa-ci.yml':
    '.build-package: {stage: build, script: [build], variables: {A: 1}}\n.test-base: {script: [test]}',
  'https://salsa.example.org/pipeline/raw/master/pipeline-jobs.yml':
    'build: {extends: .build-package}\n.build-package-i386: {extends: .build-package, variables: {ARCH: i386}}',
  'sysadmin/ci-utilities:gitlab-templates/linux-qt6.yml': QT6,
  'sysadmin/ci-utilities:gitlab-templates/reuse-lint.yml': 'reuse: {stage: test, script: [reuse lint], needs: []}',
  'gnome/citemplates:flatpak/flatpak_ci_initiative.yml': `
.flatpak: {interruptible: true, script: [flatpak-builder], artifacts: {paths: [repo]}}
.flatpak@x86_64: {extends: .flatpak}
.flatpak@aarch64: {extends: .flatpak, tags: [flatpak-aarch64]}
.publish_nightly: {stage: deploy, script: [publish], rules: [{if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH}]}`,
  '.gitlab/CI/recompile.gitlab-ci.yml': `
.recompile-branch:
  rules: [{if: $CI_PIPELINE_SOURCE == "schedule", when: never}, {if: $CI_COMMIT_TAG, when: never}, {when: on_success}]`,
  '.gitlab/CI/release.yml':
    '.release: {stage: build, only: [/^v/]}\nlinux-x86_64: {extends: .release, script: [cargo build]}',
  'https://gitlab.example.com/kalilinux/tools/ci.yml': 'build: {stage: build, script: [sbuild]}',
  'https://gitlab.example.com/kalilinux/tools/jobs.yaml': 'autopkgtest: {script: [test], allow_failure: true}',
  '.gitlab/ci/_common.gitlab-ci.yml': '.rules:merge_request_pipelines: {rules: [{if: $CI_COMMIT_BRANCH}]}',
  '.gitlab/ci/test.gitlab-ci.yml': 'integration: {stage: test, script: [go test]}',
  '.gitlab/ci/test.yml': 'download deps: {stage: build, script: [make deps]}',
  'ci/gitlab.yml':
    '.gitlab_native_build_job: {stage: builds, script: [a]}\n.gitlab_container_job: {stage: containers, script: [b]}',
  'ci/broken.yml': 'broken: {script: [a], scripts: [b]}',
  'services/api/ci.yml': 'api: {stage: build, script: [make api]}',
  'services/web/ci.yml': 'web: {stage: build, script: [make web]}',
  'services/api/more.yml': 'more: {stage: build, script: [make more], needs: [api]}',
};
const TREE = ['Dockerfile', 'package.json', 'docs/index.md', 'src/main.c'];
/** What globs of includes are compared with. */
const PATHS = [...TREE, ...Object.keys(FILES).filter((location) => !location.includes(':'))];

const hashText = (text: string) => createHash('sha1').update(text).digest('hex');

function findFiles(request: FileRequest): IncludeAnswer {
  const location = request.kind === 'remote' ? request.url : request.path;
  const text = FILES[request.kind === 'project' ? `${request.project}:${location}` : location];
  const origin = { project: request.kind === 'project' ? request.project : ORIGIN.project, sha: ORIGIN.sha };
  if (text !== undefined) return { files: [{ location, text, origin: request.kind === 'remote' ? null : origin }] };
  if (request.kind === 'remote')
    return { error: `Remote file \`${location}\` could not be fetched because of HTTP code \`404\` error!` };
  if (request.kind === 'local') return { error: `Local file \`${location}\` does not exist!` };
  const advice = 'Make sure any includes in the pipeline configuration are correctly defined.';
  return { error: `Project \`${request.project}\` not found or access denied! ${advice}` };
}

/** Gives what was found the ids that files have in git, by which what they are parsed to is remembered. */
const withBlobIds = (answer: IncludeAnswer): IncludeAnswer =>
  'error' in answer ? answer : { files: answer.files.map((file) => ({ ...file, blob_id: hashText(file.text) })) };

function compile(text: string, source: string, evaluatesRules: boolean, hasBlobIds = false): Promise<Compilation> {
  const changed = source === 'push' ? ['docs/index.md', 'src/main.c'] : null;
  const ask = async (request: DataRequest): Promise<DataAnswer> => {
    if (request.kind === 'include') {
      const answer = findFiles(request.request);
      return { kind: 'include', answer: hasBlobIds ? withBlobIds(answer) : answer };
    }
    if (request.kind === 'tree') return { kind: 'paths', paths: request.project === null ? TREE : PATHS };
    return { kind: 'paths', paths: request.compareTo === null ? changed : ['src/main.c'] };
  };
  const predefined = {
    CI: 'true',
    CI_PIPELINE_SOURCE: source,
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_REF_NAME: 'main',
    CI_COMMIT_REF_SLUG: 'main',
    CI_COMMIT_REF_PROTECTED: 'true',
    CI_COMMIT_TITLE: 'a change',
    CI_COMMIT_MESSAGE: 'a change',
    CI_DEFAULT_BRANCH: 'main',
    CI_PROJECT_NAMESPACE: 'group',
    CI_PROJECT_PATH: ORIGIN.project,
  };
  const request = {
    text,
    blob_id: hasBlobIds ? hashText(text) : null,
    location: '.gitlab-ci.yml',
    origin: ORIGIN,
    inputs: {},
    ref: 'main',
    isTag: false,
    source,
    projectPath: ORIGIN.project,
    variables: {},
    predefined,
    limits: { needs: 50, pipelineSize: 0 },
    evaluatesRules,
    merged: true,
  };
  return compileConfiguration(request, ask);
}

const isHash = (value: Value | undefined): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listMessages = (problems: readonly { message: string }[]) => problems.map(({ message }) => message);
const listNames = (jobs: readonly { name: string }[]) => jobs.map(({ name }) => name).sort();

/** The visible jobs of a merged file. */
function listJobs(merged: Hash): [name: string, job: Hash][] {
  const names = Object.keys(merged).filter((name) => !name.startsWith('.') && findKeyword(name, 'global') === null);
  return names.map((name) => [name, merged[name] as Hash]);
}

/** The names of all parts of a job, worked out apart from the compiler. */
function splitName(name: string, { parallel }: Hash): string[] {
  if (typeof parallel === 'number') return Array.from({ length: parallel }, (_, i) => `${name} ${i + 1}/${parallel}`);
  if (!isHash(parallel)) return [name];
  return (parallel['matrix'] as Hash[]).flatMap((variables) => {
    let rows: string[][] = [[]];
    for (const value of Object.values(variables)) {
      const values = (Array.isArray(value) ? value : [value]).map(String);
      rows = rows.flatMap((row) => values.map((text) => [...row, text]));
    }
    return rows.map((row) => `${name}: [${row.join(', ')}]`);
  });
}

/** What a hash of the file says that neither works nor is warned of. */
function listSilent(hash: Hash, spot: KeywordSpot, prefix: string, warnings: readonly string[]): string[] {
  const isMentioned = (label: string) => warnings.some((message) => message.startsWith(`${label} `));
  return Object.keys(hash).flatMap((key) => {
    if (hash[key] === null || (spot === 'global' && findKeyword(key, 'global') === null)) return [];
    const keyword = findKeyword(key, spot);
    const works = keyword !== null && KEYWORDS[keyword].support === 'works';
    const parts = isHash(hash[key]) ? listUnusedParts(key, hash[key]) : [];
    const labels = [...(works ? [] : [`${prefix}${key}`]), ...parts.map((part) => `${prefix}${part}`)];
    return labels.filter((label) => !isMentioned(label));
  });
}

/** The same for a whole file. */
function listSilentKeywords(merged: Hash, jobs: [name: string, job: Hash][], warnings: readonly string[]): string[] {
  const defaults = isHash(merged['default']) ? listSilent(merged['default'], 'default', 'default:', warnings) : [];
  const own = jobs.flatMap(([job, hash]) => listSilent(hash, 'job', `jobs:${job}:`, warnings));
  return [...listSilent(merged, 'global', '', warnings), ...defaults, ...own];
}

/** Keys inside of keywords that have no effect (section 4 of ci-execution.md). */
function listUnusedParts(keyword: string, value: Hash): string[] {
  const parts: Record<string, string[]> = { artifacts: ['expose_as'], environment: ['kubernetes'], image: ['ports'] };
  const reports = keyword === 'artifacts' && isHash(value['reports']) ? Object.keys(value['reports']) : [];
  const kinds = reports.filter((kind) => kind !== 'dotenv').map((kind) => `artifacts:reports:${kind}`);
  const own = (parts[keyword] ?? []).filter((part) => Object.hasOwn(value, part));
  return [...own.map((part) => `${keyword}:${part}`), ...kinds];
}

/** Checks that each job is in the pipeline, or is left out for a reason. */
function checkSelection(t: ExecutionContext, all: Compilation, selection: Compilation, source: string): void {
  t.deepEqual(listMessages(selection.errors), [], source);
  t.deepEqual(selection.warnings, all.warnings, source);
  if (selection.filtered === 'workflow') {
    t.true(selection.workflow_explanation.length > 0, source);
    t.deepEqual(selection.jobs, [], source);
    return;
  }
  // Without other jobs, those of the first and the last stage make no pipeline either.
  t.deepEqual(listNames([...selection.jobs, ...selection.excluded]), listNames(all.jobs), source);
  t.true(
    selection.excluded.every(({ why }) => why !== ''),
    source,
  );
}

function readFiles() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));
  return names.sort().map((file) => {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const [first = ''] = text.split('\n', 1);
    return { name: path.basename(file, '.yml'), text, verdict: first.replace(/^# /, '') };
  });
}

const files = readFiles();

test('the corpus has more than a hundred files, and each says what it must come to', (t) => {
  t.true(files.length >= 110);
  t.deepEqual(
    files.filter(({ verdict }) => !/^(?:accepted|refused: .+)$/.test(verdict)).map(({ name }) => name),
    [],
  );
});

for (const { name, text, verdict } of files) {
  if (verdict === 'accepted') {
    test(`${name}: accepted, and no job and no keyword is lost`, async (t) => {
      for (const source of SOURCES) {
        const all = await compile(text, source, false);
        t.deepEqual(listMessages(all.errors), [], source);
        const merged = readConfigurationFile(all.merged_yaml!).content;
        const jobs = listJobs(merged);
        const names = jobs.flatMap(([job, hash]) => splitName(job, hash)).sort();
        t.true(names.length > 0, source);
        t.deepEqual(listNames(all.jobs), names, source);
        t.deepEqual(listSilentKeywords(merged, jobs, listMessages(all.warnings)), [], source);
        // The merged file says the same as all files together.
        t.deepEqual((await compile(all.merged_yaml!, source, false)).jobs, all.jobs, source);
        checkSelection(t, all, await compile(text, source, true), source);
      }
    });
  } else {
    test(`${name}: refused with the right words`, async (t) => {
      const expected = verdict.replace('refused: ', '');
      for (const source of SOURCES) {
        for (const evaluatesRules of [false, true]) {
          const { errors, jobs } = await compile(text, source, evaluatesRules);
          t.is(errors[0]?.message, expected);
          t.deepEqual(jobs, []);
        }
      }
    });
  }
}

/** Freezes a value with all that is in it. */
function freeze(value: unknown, frozen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return;
  frozen.add(Object.freeze(value));
  for (const inner of Object.values(value)) freeze(inner, frozen);
}

test('what a file was parsed to is used again, and no later step changes it', async (t) => {
  for (const { name, text } of files) {
    for (const source of SOURCES) {
      const first = await compile(text, source, true);
      for (const one of [text, ...Object.values(FILES)]) {
        try {
          const { header, content } = readConfigurationFile(one, undefined, hashText(one));
          t.is(readConfigurationFile(one, 'another.yml', hashText(one)).content, content);
          freeze([header, content]);
        } catch (error) {
          t.true(error instanceof ConfigurationError, name);
        }
      }
      t.deepEqual(await compile(text, source, true, true), first, `${name}, ${source}`);
    }
  }
});

test('another text, and one without an id, is parsed by itself', (t) => {
  const id = 'b'.repeat(40);
  const { content } = readConfigurationFile('a: {script: x}', undefined, id);
  t.is(readConfigurationFile('a: {script: x}', undefined, id).content, content);
  t.not(readConfigurationFile('a: {script: x}').content, content);
  t.deepEqual(Object.keys(readConfigurationFile('b: {script: x}', undefined, id).content), ['b']);
  t.deepEqual(Object.keys(readConfigurationFile('a: {script: x}', undefined, id).content), ['a']);
  // A problem names the file for which it is read now.
  const twice = 'a: {script: x}\na: {script: y}\n';
  t.is(readConfigurationFile(twice, 'one.yml', hashText(twice)).warnings[0]?.file, 'one.yml');
  t.is(readConfigurationFile(twice, 'other.yml', hashText(twice)).warnings[0]?.file, 'other.yml');
});
