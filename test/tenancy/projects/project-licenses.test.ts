import test from 'ava';
import { useApp } from '../../core/app.js';
import { pushFiles, licenseText } from './pushed-files.js';
import type { Built } from './pushed-files.js';

const app = useApp(test);
const push = (project: Built, files: Record<string, string | null>) => pushFiles(app, project, files);

const read = async (project: Built, query = '') =>
  (await app.as(project.owner).get(`/projects/${project.id}${query}`)).body;

/** The license in the record of a new project with these files, and the file that contains it. */
async function getLicense(
  files: Record<string, string>,
): Promise<{ key: string | undefined; file: string | undefined }> {
  const project = await app.build.project({ empty: true });
  await push(project, files);
  const { license, license_url } = await read(project, '?license=true');
  return { key: license?.key, file: license_url?.split('/blob/main/')[1] };
}

// Contract: interface-2.10.license
test('licences are recognised by their words, whoever holds them; other texts are other', async (t) => {
  const project = await app.build.project({ empty: true });
  const getKey = async () => (await read(project, '?license=true')).license?.key as string;
  const texts: [name: string, text: string, key: string][] = [
    ['LICENSE.md', licenseText('Apache-2.0'), 'apache-2.0'],
    ['COPYING', licenseText('GPL-3.0-only'), 'gpl-3.0'],
    ['LICENCE.txt', licenseText('BSD-2-Clause'), 'bsd-2-clause'],
    ['UNLICENSE', licenseText('Unlicense'), 'unlicense'],
    ['LICENSE', 'All of this is mine, and nobody may use it.', 'other'],
  ];
  for (const [name, text, key] of texts) {
    await push(project, { [name]: text });
    t.is(await getKey(), key, name);
    await push(project, { [name]: null });
  }
  t.is((await read(project, '?license=true')).license, null);
});

test('the part that tells how to apply a licence may be missing', async (t) => {
  const cut = (id: string) => licenseText(id).replace(/(end of terms and conditions)[^]*$/i, '$1');
  t.is((await getLicense({ LICENSE: cut('Apache-2.0') })).key, 'apache-2.0');
  t.is((await getLicense({ COPYING: cut('GPL-2.0-only') })).key, 'gpl-2.0');
});

test('texts that are nearly a known licence are not taken for it', async (t) => {
  const key = async (text: string) => (await getLicense({ LICENSE: text })).key;
  t.is(await key(licenseText('JSON')), 'json');
  t.is(await key(licenseText('SSPL-1.0')), 'sspl-1.0');
  t.is(await key(licenseText('BSD-4-Clause')), 'bsd-4-clause');
  t.is(await key(licenseText('OFL-1.1')), 'ofl-1.1');
  t.is(await key(`${licenseText('MIT')}\nYou may not sell it.${' Not to anybody, not ever.'.repeat(5)}`), 'other');
  t.is(await key(''), 'other');
});

test('a licence file is known by its name, whatever its case; programs and folders of that name are none', async (t) => {
  const mit = licenseText('MIT');
  for (const file of ['license', 'Licence.md', 'MIT-LICENSE.txt', 'LICENSE_1_0.txt', 'LICENSE.MIT', 'Copying'])
    t.deepEqual(await getLicense({ [file]: mit }), { key: 'mit', file }, file);
  const none = { key: undefined, file: undefined };
  t.deepEqual(
    await getLicense({ 'license.py': mit, 'license_check.rb': mit, 'docs/LICENSE': mit, licensing: mit }),
    none,
  );
});

test('of several licence files LICENSE counts before COPYING, and what changes the other one before both', async (t) => {
  const [mit, gpl, lgpl] = ['MIT', 'GPL-3.0-only', 'LGPL-3.0-only'].map(licenseText) as [string, string, string];
  t.deepEqual(await getLicense({ COPYING: gpl, LICENSE: mit }), { key: 'mit', file: 'LICENSE' });
  t.deepEqual(await getLicense({ COPYING: gpl, 'COPYING.LESSER': lgpl }), { key: 'lgpl-3.0', file: 'COPYING.LESSER' });
});
