/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- no element is such a list below
   a field that keeps the focus, and the keys are those of the field */
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { UnbrokenText } from '../../ui/UnbrokenText.js';
import styles from './Palette.module.css';

export interface Choice {
  /** Identifies it among all displayed choices. */
  key: string;
  label: string;
  /** A path, or another word about it. */
  aside?: string | undefined;
  choose: () => void;
}

interface ChoiceGroup {
  title: string;
  choices: readonly Choice[];
}

interface ChoicesProps {
  groups: readonly ChoiceGroup[];
  typed: string;
  onType: (typed: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A field and the choices below it, by the combobox pattern of ARIA: the focus stays in the field, arrow keys go through
 * the choices, Enter takes one. The lists of react-aria write a style element, which the policy of the pages refuses.
 */
export function Choices({ groups, typed, onType }: ChoicesProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [chosenKey, want] = useState<string | null>(null);
  const all = groups.flatMap(({ choices }) => choices);
  // Until the user moves the selection, it is the first, even when the list changes.
  const current = all.find(({ key }) => key === chosenKey) ?? all[0];
  const getId = (choice: Choice) => `${id}${all.indexOf(choice)}`;
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (chosenKey !== null) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosenKey]);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !current) return;
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) current.choose();
    else want(all[(all.indexOf(current) + step + all.length) % all.length]?.key ?? null);
  };
  return (
    <>
      <input
        ref={field}
        className={styles.field}
        type="text"
        role="combobox"
        aria-label="Search or go to"
        aria-autocomplete="list"
        aria-expanded={all.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={current && getId(current)}
        autoComplete="off"
        spellCheck={false}
        placeholder="Name or command"
        maxLength={255}
        value={typed}
        onChange={(event) => {
          want(null);
          onType(event.currentTarget.value);
        }}
        onKeyDown={press}
      />
      <div ref={list} id={`${id}list`} role="listbox" aria-label="Results" className={styles.list}>
        {groups
          .filter(({ choices }) => choices.length > 0)
          .map(({ title, choices }) => (
            <div key={title} role="group" aria-label={title}>
              <div className={styles.title} aria-hidden>
                {title}
              </div>
              {choices.map((choice) => (
                <div
                  key={choice.key}
                  id={getId(choice)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={choice === current}
                  className={styles.choice}
                  // The focus stays in the field.
                  onPointerDown={(event) => event.preventDefault()}
                  onPointerMove={() => want(choice.key)}
                  onClick={choice.choose}
                >
                  <span>
                    <UnbrokenText>{choice.label}</UnbrokenText>
                  </span>
                  {choice.aside !== undefined && (
                    <span className={styles.aside}>
                      <UnbrokenText>{choice.aside}</UnbrokenText>
                    </span>
                  )}
                </div>
              ))}
            </div>
          ))}
      </div>
    </>
  );
}
