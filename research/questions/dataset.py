"""Writes the questions of a part for "cerasum evaluate --use-query --editor": a cluster for each
question, of its one document, and a choice, whose extract is the sentence with the answer.

    python dataset.py test.jsonl.gz questions.jsonl answers.jsonl
    python dataset.py --another test.jsonl.gz …    # only those in another language than the document
"""
import gzip
import json
import sys

another = "--another" in sys.argv
part, questions, answers = [a for a in sys.argv[1:] if a != "--another"]
with open(questions, "w") as clusters, open(answers, "w") as choices:
    for d in map(json.loads, gzip.open(part, "rt")):
        text, spans = "", []
        for sentence in d["sentences"]:
            start = len(text.encode("utf-16-le")) // 2
            text += sentence
            spans.append([0, start, len(text.encode("utf-16-le")) // 2])
            text += "\n"
        for n, q in enumerate(d["questions"]):
            if another and q["language"] == d["language"]:
                continue
            name = f'{d["id"]} {n}'
            document = {"text": text, "title": d["title"], "language": d["language"]}
            # evaluate wants a reference, which does not matter here
            print(json.dumps({"id": name, "documents": [document], "query": q["question"], "references": [q["answer"]]}), file=clusters)
            print(json.dumps({"id": name, "extract": [spans[q["sentence"]]], "good": [], "never": []}), file=choices)
