const two = (n: number): string => String(n).padStart(2, '0');

const MICRO = 1_000_000;

/** Seconds that are a time of day or a duration: 08:30:15, with fractions where there are any; beyond a day the hours go on. */
export function clockText(seconds: number): string {
  const micros = Math.round(Math.abs(seconds) * MICRO);
  const whole = Math.floor(micros / MICRO);
  const fraction = micros % MICRO;
  const tail = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`;
  const sign = seconds < 0 && micros > 0 ? '-' : '';
  return `${sign}${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${tail}`;
}
