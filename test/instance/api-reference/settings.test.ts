import { readFileSync } from 'node:fs';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { settingsContents } from '../../../api/instance/api-reference/settings.js';
import { applicationSettings, planLimits } from '../../../shared/instance/application-settings/settings.js';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredGroupSettings } from '../../../shared/tenancy/groups/declared-group-settings.js';
import { declaredSettings } from '../../../shared/tenancy/projects/declared-settings.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const KINDS = ['project', 'group', 'application', 'limits'] as const;
type Kind = (typeof KINDS)[number];

interface Arranged {
  sections: { title: string; lead: string; settings: Record<string, string> }[];
  owners: string[];
  administrators: string[];
}

const json = <T>(name: string) =>
  JSON.parse(readFileSync(`api/web/features/tenancy/settings/${name}.json`, 'utf8')) as T;
const arranged = json<Record<Kind, Arranged>>('sections');
const unshown = json<Record<Kind, Record<string, string>>>('unshown');
const contents = settingsContents(allRoutes);

const declared: Record<Kind, string[]> = {
  project: Object.keys(declaredSettings),
  group: Object.keys(declaredGroupSettings),
  application: Object.keys(applicationSettings),
  limits: Object.keys(planLimits),
};

const arrangedNames = (kind: Kind) => arranged[kind].sections.flatMap(({ settings }) => Object.keys(settings));

// Contract: web.settings.all
test('every setting that is declared, and every parameter of editing, is on its page or listed with the reason', (t) => {
  for (const kind of KINDS) {
    const names = arrangedNames(kind).map((name) => name.split('.')[0] as string);
    const allNames = new Set([...names, ...Object.keys(unshown[kind])]);
    const contentNames = Object.keys(contents[kind]);
    t.deepEqual(contentNames.toSorted(), [...allNames].toSorted(), kind);
    t.deepEqual(
      declared[kind].filter((name) => !allNames.has(name)),
      [],
      kind,
    );
    t.deepEqual(
      names.filter((name) => Object.hasOwn(unshown[kind], name)),
      [],
      `${kind}: shown, and listed as not shown`,
    );
    t.true(Object.values(unshown[kind]).every((reason) => reason.length > 10 && reason.endsWith('.')));
    t.is(new Set(arrangedNames(kind)).size, arrangedNames(kind).length, `${kind}: shown twice`);
  }
});

// Contract: web.settings.all
test('each setting on a page has a label, and a sentence of what it steers', (t) => {
  for (const kind of KINDS) {
    for (const { title, lead, settings } of arranged[kind].sections) {
      t.true(title !== '' && lead.endsWith('.'), title);
      for (const [name, label] of Object.entries(settings)) {
        const [whole = '', part] = name.split('.');
        const found = contents[kind][whole];
        const nested = found?.schema.properties as Record<string, { description?: string }> | undefined;
        const docs = part === undefined ? found?.docs : nested?.[part]?.description;
        t.true(label !== '' && docs !== undefined && docs.length > 4, `${kind} ${name}`);
      }
    }
  }
});

// Contract: web.settings.all
test('what others may not set is offered to administrators alone', (t) => {
  for (const [kind, all] of [
    ['project', declaredSettings],
    ['group', declaredGroupSettings],
  ] as const) {
    const forAdministrators = settingEntries(all)
      .filter(([name, { options }]) => options.setBy === 'administrators' && arrangedNames(kind).includes(name))
      .map(([name]) => name);
    t.deepEqual(arranged[kind].administrators.toSorted(), forAdministrators.toSorted());
  }
});

// Contract: web.settings.all
test('the document of settings tells defaults and words, and nothing secret', async (t) => {
  const { body, status } = await app.anonymous.raw('GET', '/-/api-docs/settings.json');
  t.is(status, 200);
  t.deepEqual(body, JSON.parse(JSON.stringify(contents)));
  const { application, project, limits } = body as typeof contents;
  t.like(application.notes_create_limit, { default: 300, docs: 'Notes that one user creates in a minute; 0 is off.' });
  t.like(application.akismet_api_key, { secret: true, default: '' });
  t.deepEqual(project.merge_method?.schema.enum, ['merge', 'rebase_merge', 'ff']);
  t.is(limits.ci_pipeline_schedules?.default, 10);
});
