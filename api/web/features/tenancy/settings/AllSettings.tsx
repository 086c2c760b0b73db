import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { arranged, declaredQuery, findSetting } from './declared.js';
import type { SettingsOf } from './declared.js';
import { SettingsPart } from './SettingsPart.js';
import type { PartSetting } from './SettingsPart.js';
import { readValue } from './values.js';
import type { Values } from './values.js';
import styles from './Parts.module.css';

/** The fragment of a section, for links to it. */
const getAnchor = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** The parts of a long page, to go to one of them. */
function PartLinks({ titles }: { titles: readonly string[] }) {
  return (
    <nav aria-label="On this page">
      <ul className={styles.parts}>
        {titles.map((title) => (
          <li key={title}>
            <a href={`#${getAnchor(title)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface AllSettingsProps {
  of: SettingsOf;
  record: Values;
  /** Whether the user sees settings for Owners and for administrators. */
  rights: { owns: boolean; administers: boolean };
  save: (changes: Values) => Promise<Values>;
  onSaved: (record: Values) => void;
}

/**
 * Every setting that this service implements, in sections (`sections.json`). Settings missing in the plan are neither
 * returned nor displayed.
 */
export function AllSettings({ of, record, rights, save, onSaved }: AllSettingsProps) {
  const { data: declared, error, refetch } = useQuery(declaredQuery);
  const isThere = declared !== undefined;
  useEffect(() => {
    // A link to one of the parts, which were not there yet when it was followed.
    if (isThere) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isThere]);
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!declared) return <LoadingRows label="Loading settings" rows={6} />;
  const { sections, owners, administrators } = arranged(of);
  const isOffered = (name: string) =>
    (rights.owns || !owners.includes(name)) &&
    (rights.administers || !administrators.includes(name)) &&
    readValue(record, name) !== undefined;
  const parts = sections.flatMap((part) => {
    const settings = Object.entries(part.settings).flatMap(([name, label]): PartSetting[] => {
      const setting = findSetting(declared, of, name);
      return setting && isOffered(name) ? [{ name, label, setting }] : [];
    });
    return settings.length === 0 ? [] : [{ part, settings }];
  });
  return (
    <>
      {parts.length > 1 && <PartLinks titles={parts.map(({ part }) => part.title)} />}
      {parts.map(({ part, settings }) => (
        <div key={part.title} id={getAnchor(part.title)}>
          <SettingsPart part={part} settings={settings} record={record} save={save} onSaved={onSaved} />
        </div>
      ))}
    </>
  );
}
