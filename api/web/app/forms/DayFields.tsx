import { Field } from './Form.js';

interface Days {
  from: string;
  to: string;
}

interface DayFieldsProps {
  held: Days;
  onHold: (changed: Partial<Days>) => void;
}

/** The first and the last day that a list is about, on the viewer's calendar. */
export function DayFields({ held: { from, to }, onHold }: DayFieldsProps) {
  return (
    <>
      <Field
        label="From day"
        name="from"
        type="date"
        value={from}
        onChange={(event) => onHold({ from: event.currentTarget.value })}
      />
      <Field
        label="To day"
        name="to"
        type="date"
        value={to}
        onChange={(event) => onHold({ to: event.currentTarget.value })}
      />
    </>
  );
}
