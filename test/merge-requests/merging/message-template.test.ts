import test from 'ava';
import {
  fillTemplate,
  mergeMessage,
  squashMessage,
  suggestionMessage,
  type DescribedMergeRequest,
} from '../../../shared/merge-requests/merging/message-template.js';

const commit = (message: string, author = 'Ann', parents = 1) => ({
  title: message.split('\n', 1)[0]!,
  message,
  author_name: author,
  author_email: `${author.toLowerCase()}@example.com`,
  parent_ids: Array.from({ length: parents }, () => 'a'),
});

const described: DescribedMergeRequest = {
  title: 'Add a %{url}',
  description: 'Why\r\nand how',
  source_branch: 'story',
  target_branch: 'main',
  source_project_id: 7,
  reference: 'group/project!3',
  local_reference: '!3',
  url: 'https://example.com/group/project/-/merge_requests/3',
  issues: ['#1', '#2', 'other/project#3'],
  author: { name: 'Ann', email: 'ann@example.com' },
  merged_by: { name: 'Bob', email: 'bob@example.com' },
  approved_by: [{ name: 'Cleo', email: 'cleo@example.com' }],
  reviewed_by: [],
  commits: [commit('First\n'), commit('Merge it\n\nx', 'Dan', 2), commit('Second\n\nwith more\nlines\n', 'Eve')],
};

const values: Record<string, string> = {
  source_branch: 'story',
  target_branch: 'main',
  title: 'Add a %{url}',
  description: 'Why\r\nand how',
  issues: 'Closes #1, #2, and other/project#3',
  reference: 'group/project!3',
  local_reference: '!3',
  source_project_id: '7',
  url: 'https://example.com/group/project/-/merge_requests/3',
  first_commit: 'First',
  first_multiline_commit: 'Second\n\nwith more\nlines',
  first_multiline_commit_description: 'with more\nlines',
  all_commits: '* First\n\n* Second\n\nwith more\nlines',
  approved_by: 'Approved-by: Cleo <cleo@example.com>',
  merged_by: 'Bob <bob@example.com>',
  merge_request_author: 'Ann <ann@example.com>',
};

for (const [name, value] of Object.entries(values))
  // Contract: merging-2.templates
  test(`%{${name}} is filled in`, (t) => {
    t.is(mergeMessage(described, `<%{${name}}>`), `<${value}>`);
  });

test("a merge message without a template is the public product's", (t) => {
  t.is(
    mergeMessage({ ...described, title: 'Title', issues: [] }, null),
    "Merge branch 'story' into 'main'\n\nTitle\n\nSee merge request group/project!3",
  );
  t.is(squashMessage(described, null), 'Add a %{url}');
});

test('co-authors are those beside who merges, and of a squash beside the author', (t) => {
  const all = ['Ann <ann@example.com>', 'Dan <dan@example.com>', 'Eve <eve@example.com>'].map(
    (who) => `Co-authored-by: ${who}`,
  );
  t.is(mergeMessage(described, '%{co_authored_by}'), all.join('\n'));
  t.is(squashMessage(described, '%{co_authored_by}'), all.slice(1).join('\n'));
});

// Contract: merging-2.templates
test('what is no variable stays text, also in 500 characters of it', (t) => {
  const odd = '%{nope} %{__proto__} %{constructor} % {title} %title% %{} %{TITLE} ';
  const template = odd.repeat(8).slice(0, 500);
  t.is(fillTemplate(template, { title: () => 'x' }), template);
  t.is(mergeMessage(described, `${odd}%{local_reference}`), `${odd}!3`);
});

test('an empty variable alone on its line goes with the empty lines above', (t) => {
  t.is(mergeMessage(described, 'a\n\n%{reviewed_by}\n\nb %{reviewed_by}c\n%{reviewed_by}'), 'a\n\nb c');
});

test('a very long message is told by its title', (t) => {
  const commits = [commit(`Long\n\n${'x'.repeat(102_401)}`)];
  t.is(
    mergeMessage({ ...described, commits }, '%{all_commits}'),
    '* Long\n\n-- Skipped commit body exceeding 100KiB in size.',
  );
});

// Contract: merging-2.suggestion_commit_message
test('suggestions are told by their own variables', (t) => {
  const suggestions = {
    branch_name: 'story',
    project_path: 'project',
    project_name: 'Project',
    file_paths: ['a', 'b'],
    username: 'bob',
    user_full_name: 'Bob',
    suggestions_count: 3,
    co_authors: [],
  };
  t.is(suggestionMessage(suggestions, null), 'Apply 3 suggestion(s) to 2 file(s)');
  t.is(
    suggestionMessage(
      suggestions,
      '%{username} %{user_full_name} %{file_paths} %{branch_name} %{project_path} %{project_name} %{title}',
    ),
    'bob Bob a and b story project Project %{title}',
  );
});
