// Layer indices to label on a band axis: all, or every nth if there are many.
export function fewTicks(layers: number, narrow: boolean): readonly number[] {
  const step = Math.ceil(layers / (narrow ? 8 : 28));
  return Array.from({ length: layers }, (_, index) => index + 1).filter((index) => step === 1 || index % step === 0);
}
