import test from 'ava';
import type { Hash, Value } from '../../../shared/ci/configuration-model/configuration.types.js';
import { readPipelineConfig } from '../../../shared/ci/configuration/read-pipeline-config.js';
import { readErrors, readJobErrors, readJobX, readWarnings } from './keywords.steps.js';

test('rules: nested lists become one; every part is read', (t) => {
  const rule: Hash = {
    if: '$A',
    changes: { paths: ['a'], compare_to: 'main' },
    exists: 'b',
    when: 'delayed',
    start_in: '1h',
    allow_failure: true,
    needs: ['n'],
    interruptible: false,
  };
  const exists = { paths: ['c'], project: 'p', ref: 'r' };
  t.deepEqual(readJobX({ rules: [[rule, [{ when: 'never' }]], { exists }] }).rules, [
    {
      if: '$A',
      changes: { paths: ['a'], compare_to: 'main' },
      exists: { paths: ['b'] },
      when: 'delayed',
      start_in: 3600,
      allow_failure: true,
      needs: [{ job: 'n', artifacts: true, optional: false }],
      interruptible: false,
    },
    { when: 'never' },
    { exists: { paths: ['c'], project: 'p', ref: 'r' } },
  ]);
});

test('rules: errors', (t) => {
  const many = Array.from({ length: 51 }, () => 'a');
  const samples: [Hash, string][] = [
    [{}, " config can't be blank"],
    [{ foo: 1, auto_cancel: {} }, ' config contains unknown keys: foo, auto_cancel'],
    [{ if: '(' }, ' if invalid expression syntax'],
    [{ if: 1 }, ' if invalid expression syntax'],
    [{ if: '$A =~ /(?=x)/' }, ' if invalid expression syntax'],
    [{ if: Array.from({ length: 51 }, () => '$A').join('&&') }, ' if invalid expression syntax'],
    [{ when: 'sometimes' }, ' when unknown value: sometimes'],
    [{ when: 'delayed' }, " start in can't be blank"],
    [{ when: 'delayed', start_in: '2 weeks' }, ' start in should not exceed the limit'],
    [{ start_in: '1 day' }, ' config contains disallowed keys: start_in'],
    [{ allow_failure: 'a' }, ' allow failure should be a boolean value'],
    [{ interruptible: 'a' }, ' interruptible should be a boolean value'],
    [{ variables: [] }, ':variables config should be a hash'],
    [{ changes: 'a' }, ':changes should be an array or a hash'],
    [{ changes: [1] }, ':changes config should be an array of strings'],
    [{ changes: many }, ':changes config has too many entries (maximum 50)'],
    [{ changes: { compare_to: 'a' } }, ':changes config missing required keys: paths'],
    [{ changes: { paths: ['a'], x: 1 } }, ':changes config contains unknown keys: x'],
    [{ exists: 1 }, ':exists should be a string, an array of strings, or a hash'],
    [{ exists: { paths: many } }, ':exists paths has too many entries (maximum 50)'],
    [{ exists: { paths: ['a'], ref: 'b' } }, ':exists config missing required keys: project'],
    [{ needs: [{ pipeline: 'a' }] }, ':needs:pipeline is not supported by this service'],
  ];
  for (const [rule, text] of samples) t.deepEqual(readJobErrors({ rules: [rule] }), [`jobs:x:rules:rule${text}`]);
  t.deepEqual(readJobErrors({ rules: [] }), ["jobs:x:rules config can't be blank"]);
  t.deepEqual(readJobErrors({ rules: ['a'] }), [
    'jobs:x rules should be an array containing hashes and arrays of hashes',
  ]);
});

test('rules exclude only, except and start_in', (t) => {
  const rules = [{ when: 'never' }];
  t.deepEqual(readJobErrors({ only: ['a'], rules }), ['jobs:x config key may not be used with `rules`: only']);
  t.deepEqual(readJobErrors({ rules, except: ['a'], start_in: '1h', only: ['a'] }), [
    'jobs:x config key may not be used with `rules`: except, start_in, only',
  ]);
});

test('rules that may start two pipelines are warned of, unless workflow has rules', (t) => {
  const x: Hash = { script: 'a', rules: [{ if: '$A' }, { when: 'always' }] };
  t.deepEqual(readWarnings({ x }), [
    'jobs:x may allow multiple pipelines to run for a single action ' +
      'due to `rules:when` clause with no `workflow:rules`',
  ]);
  t.deepEqual(readWarnings({ workflow: { rules: [{ if: '$A' }] }, x }), []);
  t.deepEqual(readWarnings({ x: { ...x, rules: [{ if: '$A' }, { when: 'never' }] } }), []);
});

test('workflow', (t) => {
  const auto_cancel = { on_new_commit: 'interruptible', on_job_failure: 'all' };
  const workflow: Hash = { name: 'n', auto_cancel, rules: [{ if: '$A', auto_cancel: { on_job_failure: 'none' } }] };
  t.deepEqual(readPipelineConfig({ workflow, x: { script: 'a' } }).workflow, {
    name: 'n',
    auto_cancel: { on_new_commit: 'interruptible', on_job_failure: 'all' },
    rules: [{ if: '$A', auto_cancel: { on_job_failure: 'none' } }],
  });
  const samples: [Value, string][] = [
    ['a', ' config should be a hash'],
    [{ x: 1 }, ' config contains unknown keys: x'],
    [{ name: 'n'.repeat(256) }, ' name is too long (maximum is 255 characters)'],
    [{ rules: 'a' }, ' rules should be an array containing hashes and arrays of hashes'],
    [{ rules: [{ when: 'manual' }] }, ':rules:rule when unknown value: manual'],
    [{ rules: [{ if: '(' }] }, ':rules:rule if invalid expression syntax'],
    [
      { auto_cancel: { on_new_commit: 'a' } },
      ':auto_cancel on new commit must be one of: conservative, interruptible, none',
    ],
    [{ auto_cancel: { on_job_failure: 'a' } }, ':auto_cancel on job failure must be one of: none, all'],
    [{ auto_cancel: { a: 1 } }, ':auto_cancel config contains unknown keys: a'],
  ];
  const x = { script: 'a' };
  for (const [value, text] of samples) t.deepEqual(readErrors({ workflow: value, x }), [`workflow${text}`]);
});

test('only and except', (t) => {
  t.deepEqual(readJobX({ only: ['main', '/^v/i', 'tags@a/b'] }).only, { refs: ['main', '/^v/i', 'tags@a/b'] });
  const hash: Hash = { variables: ['$A'], changes: ['a/**'], kubernetes: 'active' };
  t.deepEqual(readJobX({ except: hash }).except, { variables: ['$A'], changes: ['a/**'], kubernetes: 'active' });
  const samples: [Value, string][] = [
    [{}, " config can't be blank"],
    [{ x: 1 }, ' config contains unknown keys: x'],
    [['/(?=a)/'], ' config should be an array of strings or regular expressions using re2 syntax'],
    [{ refs: 'a' }, ' refs should be an array of strings or regular expressions using re2 syntax'],
    [{ variables: ['== null'] }, ' variables invalid expression syntax'],
    [{ variables: '$A' }, ' variables should be an array of strings'],
    [{ changes: [1] }, ' changes should be an array of strings'],
    [{ kubernetes: 'a' }, ' kubernetes unknown value: a'],
  ];
  for (const [only, text] of samples) t.deepEqual(readJobErrors({ only }), [`jobs:x:only${text}`]);
});
