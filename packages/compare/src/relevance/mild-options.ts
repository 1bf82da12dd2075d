// Options of programs that do not change results. Lists of options that differ in nothing else differ too little to count.

const mildOptions: readonly RegExp[] = [
  // Memory and jobs of V8, the Java virtual machine and make, and numbers of threads.
  /^(?:--max[-_](?:old|semi|heap)[-_](?:space[-_])?size(?:[-_]percentage)?(?:=\d+)?|-X(?:m[snx]|ss)\d+[kmgtKMGT]?|-XX:(?:Max|Min|Initial)[A-Za-z]*(?:Size|Percentage)=[\d.]+[kmgtKMGT]?|-j\d*|--jobs(?:=\d+)?|\d+)$/,
  // How the Java virtual machine runs, its desktop, its folders, and the encoding that it assumes.
  /^-(?:XX:[+-]\w+|Djava\.(?:awt\.headless=\w+|io\.tmpdir=\S+)|D(?:apple\.awt|awt|swing|sun\.java2d|maven\.repo\.local|org\.gradle)\b\S*|Dfile\.encoding=UTF-?8)$/i,
  // Where Bundler stores packages and how it builds them.
  /^(?:path|jobs|retry|deployment|frozen|build\.[\w-]+)[=:].*$/,
  // What Node.js, make, Ruby, Python, pytest, Go and Java show, or what a binary says of its build.
  /^(?:--(?:no-)?(?:warnings|deprecation|print-directory|header|summary)|--trace-(?:warnings|deprecation|uncaught)|--disable-warning=\S+|--enable-source-maps|--(?:silent|quiet|verbose|color(?:=\w+)?)|-[qsvw]+|-W(?:[012]|:no-\w+)|(?:ignore|default|once|module|always)(?::\S*)?|--enable-native-access=\S+|-buildvcs(?:=\w+)?|-trimpath)$/,
];

/** Whether two lists of options differ in mild options, in mirrors or in the history of a shell, and in nothing else. */
export function differInMildOptions(a: string | null, b: string | null): boolean {
  return withoutMild(a) === withoutMild(b);
}

function withoutMild(options: string | null): string {
  const words = /^(?:none|default)$/.test(options ?? '')
    ? []
    : (options ?? '').replace(/\bmirror \S+ → \S+|-kernel(?: shell_history\w* \S+)+/g, '').split(/\s+/);
  return words.filter((word) => word !== '' && !mildOptions.some((option) => option.test(word))).join(' ');
}
