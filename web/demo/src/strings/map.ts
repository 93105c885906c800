// The strings of the map of sentences, which load with it.

import type { Language } from "../strings.ts";
import { type Format, format } from "./format.ts";

const en = ({ number, percent, count, list }: Format) => ({
  label: "Sentence map",
  byWords: "Sentences that share words are close together.",
  byMeaning: "Sentences with similar meanings are close together.",
  share: (share: number) => `In two dimensions a map shows at most ${percent(share)} of the differences.`,
  some: (shown: number, all: number) => `Showing ${number(shown)} of ${number(all)} sentences, including all quoted ones.`,
  keys: "The arrow keys move to the nearest sentence in their direction, Page Up and Page Down to the quoted sentences; Enter shows the sentence in its document.",
  hint: "Hover over a sentence to read it; click to show it in its document.",
  quoted: "quoted",
  document: (n: number) => `Document ${number(n)}`,
  place: (document: number, n: number, all: number, quoted: boolean) => `Document ${number(document)}, sentence ${number(n)} of ${number(all)}${quoted ? ", quoted" : ""}`,
  inWords: "Text version of the map",
  line: (sentences: number, quoted: number) => `${count(sentences, { one: "sentence", other: "sentences" })}, ${number(quoted)} quoted`,
  nearest: (titles: string[]) => `nearest: ${list(titles)}`,
  few: "Too few sentences for a map.",
});

type Strings = ReturnType<typeof en>;

/** The tables by themselves. */
export const tables: Record<Language, (f: Format) => Strings> = {
  en,
  es: ({ number, percent, count, list }) => ({
    label: "Mapa de frases",
    byWords: "Las frases que comparten palabras están cerca unas de otras.",
    byMeaning: "Las frases de significado parecido están cerca unas de otras.",
    share: (share) => `En dos dimensiones, un mapa muestra como mucho el ${percent(share)} de las diferencias.`,
    some: (shown, all) => `Se muestran ${number(shown)} de ${number(all)} frases, incluidas todas las citadas.`,
    keys: "Las flechas van a la frase más cercana en su dirección; Re Pág y Av Pág, a las citadas; Intro muestra la frase en su documento.",
    hint: "Pasa el cursor por una frase para leerla; haz clic para verla en su documento.",
    quoted: "citada",
    document: (n) => `Documento ${number(n)}`,
    place: (document, n, all, quoted) => `Documento ${number(document)}, frase ${number(n)} de ${number(all)}${quoted ? ", citada" : ""}`,
    inWords: "Versión en texto del mapa",
    line: (sentences, quoted) => `${count(sentences, { one: "frase", other: "frases" })}, ${count(quoted, { one: "citada", other: "citadas" })}`,
    nearest: (titles) => `más cercanos: ${list(titles)}`,
    few: "Hay muy pocas frases para un mapa.",
  }),
  fr: ({ number, percent, count, list }) => ({
    label: "Carte des phrases",
    byWords: "Les phrases qui partagent des mots sont proches les unes des autres.",
    byMeaning: "Les phrases de sens voisin sont proches les unes des autres.",
    share: (share) => `En deux dimensions, une carte montre au plus ${percent(share)} des différences.`,
    some: (shown, all) => `${number(shown)} phrases sur ${number(all)} sont affichées, dont toutes les phrases citées.`,
    keys: "Les flèches vont à la phrase la plus proche dans leur direction, Page préc. et Page suiv. aux phrases citées ; Entrée affiche la phrase dans son document.",
    hint: "Survolez une phrase pour la lire ; cliquez pour l’afficher dans son document.",
    quoted: "citée",
    document: (n) => `Document ${number(n)}`,
    place: (document, n, all, quoted) => `Document ${number(document)}, phrase ${number(n)} sur ${number(all)}${quoted ? ", citée" : ""}`,
    inWords: "Version texte de la carte",
    line: (sentences, quoted) => `${count(sentences, { one: "phrase", other: "phrases" })}, ${count(quoted, { one: "citée", other: "citées" })}`,
    nearest: (titles) => `les plus proches : ${list(titles)}`,
    few: "Trop peu de phrases pour une carte.",
  }),
  pt: ({ number, percent, count, list }) => ({
    label: "Mapa de frases",
    byWords: "As frases que partilham palavras ficam perto umas das outras.",
    byMeaning: "As frases de significado parecido ficam perto umas das outras.",
    share: (share) => `Em duas dimensões, um mapa mostra no máximo ${percent(share)} das diferenças.`,
    some: (shown, all) => `São mostradas ${number(shown)} de ${number(all)} frases, incluindo todas as citadas.`,
    keys: "As setas vão à frase mais próxima na sua direção, Page Up e Page Down às citadas; Enter mostra a frase no seu documento.",
    hint: "Passe o cursor por uma frase para a ler; clique para a ver no seu documento.",
    quoted: "citada",
    document: (n) => `Documento ${number(n)}`,
    place: (document, n, all, quoted) => `Documento ${number(document)}, frase ${number(n)} de ${number(all)}${quoted ? ", citada" : ""}`,
    inWords: "Versão em texto do mapa",
    line: (sentences, quoted) => `${count(sentences, { one: "frase", other: "frases" })}, ${count(quoted, { one: "citada", other: "citadas" })}`,
    nearest: (titles) => `mais próximos: ${list(titles)}`,
    few: "Frases insuficientes para um mapa.",
  }),
};

/** `locale` is what the page speaks now. */
export const strings = (locale: string): Strings => tables[locale as Language](format(locale, ""));
