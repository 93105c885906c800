// The strings of the view that sets two methods side by side, which loads
// with it.

import type { Language } from "../strings.ts";
import { type Format, format } from "./format.ts";

const en = ({ number, count }: Format) => ({
  title: "Compare two methods",
  more: "Same documents, length and order. Sentences quoted by both are marked.",
  close: "Close",
  first: "First method",
  second: "Second method",
  inBoth: "in both",
  common: (n: number) => (n === 0 ? "The two methods share no sentence." : `The two methods share ${count(n, { one: "sentence", other: "sentences" })}.`),
  working: "Summarizing…",
  show: "Shows the sentence in its document.",
  measure: "Score against your own summary",
  reference: "Reference summary",
  referenceMore: "Paste or write a good summary of these documents. It stays on this page.",
  rouge: "ROUGE, percent",
  recall: "recall",
  f: "F1",
  better: "higher",
  explain: "ROUGE counts what the quotes share with the reference summary: words (ROUGE-1), word pairs (ROUGE-2), and words in the same order (ROUGE-L). Recall is the share of the reference that the quotes contain; F1 also penalizes what they say beyond it. Words are compared as written, without stemming.",
  noWords: "There are no words in it yet.",
  tooLong: (most: number) => `A sentence is longer than ${number(most)} words; split it.`,
});

type Strings = ReturnType<typeof en>;

/** The tables by themselves. */
export const tables: Record<Language, (f: Format) => Strings> = {
  en,
  es: ({ number, count }) => ({
    title: "Comparar dos métodos",
    more: "Los mismos documentos, la misma extensión y el mismo orden. Las frases que citan ambos están marcadas.",
    close: "Cerrar",
    first: "Primer método",
    second: "Segundo método",
    inBoth: "en ambos",
    common: (n) => (n === 0 ? "Los dos métodos no tienen ninguna frase en común." : `Los dos métodos tienen ${count(n, { one: "frase", other: "frases" })} en común.`),
    working: "Resumiendo…",
    show: "Muestra la frase en su documento.",
    measure: "Evaluar con un resumen tuyo",
    reference: "Resumen de referencia",
    referenceMore: "Pega o escribe un buen resumen de estos documentos. No sale de esta página.",
    rouge: "ROUGE, en %",
    recall: "exhaustividad",
    f: "F1",
    better: "mayor",
    explain: "ROUGE cuenta lo que las citas comparten con el resumen de referencia: palabras (ROUGE-1), pares de palabras (ROUGE-2) y palabras en el mismo orden (ROUGE-L). La exhaustividad es la parte de la referencia que contienen las citas; F1 penaliza además lo que dicen de más. Las palabras se comparan tal como están escritas, sin reducirlas a su raíz.",
    noWords: "Todavía no contiene palabras.",
    tooLong: (most) => `Una frase tiene más de ${number(most)} palabras; divídela.`,
  }),
  fr: ({ number, count }) => ({
    title: "Comparer deux méthodes",
    more: "Mêmes documents, même longueur, même ordre. Les phrases citées par les deux sont marquées.",
    close: "Fermer",
    first: "Première méthode",
    second: "Seconde méthode",
    inBoth: "dans les deux",
    common: (n) => (n === 0 ? "Les deux méthodes n’ont aucune phrase en commun." : `Les deux méthodes ont ${count(n, { one: "phrase", other: "phrases" })} en commun.`),
    working: "Résumé en cours…",
    show: "Affiche la phrase dans son document.",
    measure: "Évaluer avec votre propre résumé",
    reference: "Résumé de référence",
    referenceMore: "Collez ou écrivez un bon résumé de ces documents. Il ne quitte pas cette page.",
    rouge: "ROUGE, en %",
    recall: "rappel",
    f: "F1",
    better: "le plus élevé",
    explain: "ROUGE compte ce que les citations ont en commun avec le résumé de référence : mots (ROUGE-1), paires de mots (ROUGE-2) et mots dans le même ordre (ROUGE-L). Le rappel est la part de la référence que contiennent les citations ; F1 pénalise aussi ce qu’elles disent en plus. Les mots sont comparés tels qu’ils sont écrits, sans racinisation.",
    noWords: "Il ne contient pas encore de mots.",
    tooLong: (most) => `Une phrase compte plus de ${number(most)} mots ; divisez-la.`,
  }),
  pt: ({ number, count }) => ({
    title: "Comparar dois métodos",
    more: "Os mesmos documentos, a mesma extensão e a mesma ordem. As frases citadas por ambos estão marcadas.",
    close: "Fechar",
    first: "Primeiro método",
    second: "Segundo método",
    inBoth: "em ambos",
    common: (n) => (n === 0 ? "Os dois métodos não têm nenhuma frase em comum." : `Os dois métodos têm ${count(n, { one: "frase", other: "frases" })} em comum.`),
    working: "A resumir…",
    show: "Mostra a frase no seu documento.",
    measure: "Avaliar com um resumo seu",
    reference: "Resumo de referência",
    referenceMore: "Cole ou escreva um bom resumo destes documentos. Não sai desta página.",
    rouge: "ROUGE, em %",
    recall: "cobertura",
    f: "F1",
    better: "maior",
    explain: "O ROUGE conta o que as citações partilham com o resumo de referência: palavras (ROUGE-1), pares de palavras (ROUGE-2) e palavras na mesma ordem (ROUGE-L). A cobertura é a parte da referência que as citações contêm; F1 penaliza também o que elas dizem a mais. As palavras são comparadas tal como estão escritas, sem as reduzir ao radical.",
    noWords: "Ainda não contém palavras.",
    tooLong: (most) => `Uma frase tem mais de ${number(most)} palavras; divida-a.`,
  }),
};

/** `locale` is what the page speaks now. */
export const strings = (locale: string): Strings & { tenths(share: number): string } => {
  const percents = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return { ...tables[locale as Language](format(locale, "")), tenths: (share) => percents.format(100 * share) };
};
